//! Gzip in and out, with bounded memory. The only file that names flate2.

use std::fmt;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

/// Why bytes cannot be unpacked.
#[derive(Debug)]
pub enum GzipError {
    /// They end early or are no gzip.
    Broken(io::Error),
    /// They unpack to more than this many bytes.
    TooLarge(usize),
}

impl fmt::Display for GzipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GzipError::Broken(error) => write!(f, "the gzip data are broken: {error}; get the file again"),
            GzipError::TooLarge(most) => {
                write!(f, "unpacks to more than {} MiB, which no such file needs; name another file", most >> 20)
            }
        }
    }
}

impl std::error::Error for GzipError {}

/// Whether bytes begin as gzip does.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1F, 0x8B])
}

/// What gzip bytes unpack to, when that is at most `most` bytes, and how many bytes behind them are no gzip: zlib, with
/// which BurrTools reads, passes over those.
pub fn unpack(bytes: &[u8], most: usize) -> Result<(Vec<u8>, usize), GzipError> {
    let (mut unpacked, mut rest) = (Vec::new(), bytes);
    loop {
        let limit = (most - unpacked.len()) as u64 + 1;
        let mut member = GzDecoder::new(rest);
        member.by_ref().take(limit).read_to_end(&mut unpacked).map_err(GzipError::Broken)?;
        if unpacked.len() > most {
            return Err(GzipError::TooLarge(most));
        }
        rest = member.into_inner();
        if !is_gzip(rest) {
            return Ok((unpacked, rest.len()));
        }
    }
}

/// Bytes packed as small as gzip can; the same whenever they are packed.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.expect("writing into memory does not fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_unpacks_and_a_bomb_does_not() {
        let packed = pack(&vec![0; 1 << 20]);
        assert!(is_gzip(&packed) && packed.len() < 2000);
        assert_eq!(unpack(&packed, 1 << 20).expect("packed bytes"), (vec![0; 1 << 20], 0));
        assert!(matches!(unpack(&packed, (1 << 20) - 1), Err(GzipError::TooLarge(_))));
        assert!(matches!(unpack(&packed[..packed.len() - 9], 1 << 20), Err(GzipError::Broken(_))));
        assert!(matches!(unpack(b"no gzip", 9), Err(GzipError::Broken(_))));
    }

    #[test]
    fn members_are_joined_and_what_is_behind_them_is_passed_over() {
        let both = [pack(b"one "), pack(b"two")].concat();
        assert_eq!(unpack(&both, 7).expect("packed bytes"), (b"one two".to_vec(), 0));
        assert!(matches!(unpack(&both, 6), Err(GzipError::TooLarge(6))));
        assert_eq!(unpack(&[both.as_slice(), b"\0\0\0"].concat(), 9).expect("packed bytes"), (b"one two".to_vec(), 3));
        assert!(matches!(unpack(&[both.as_slice(), &both[..9]].concat(), 9), Err(GzipError::Broken(_))));
    }
}
