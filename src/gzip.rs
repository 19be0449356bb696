//! Gzip in and out, with bounded memory. The only file that names flate2.

use std::fmt;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
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

/// What gzip bytes unpack to, when that is at most `most` bytes.
pub fn unpack(bytes: &[u8], most: usize) -> Result<Vec<u8>, GzipError> {
    let mut unpacked = Vec::new();
    let limit = most as u64 + 1;
    MultiGzDecoder::new(bytes).take(limit).read_to_end(&mut unpacked).map_err(GzipError::Broken)?;
    if unpacked.len() > most { Err(GzipError::TooLarge(most)) } else { Ok(unpacked) }
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
        assert_eq!(unpack(&packed, 1 << 20).expect("packed bytes"), vec![0; 1 << 20]);
        assert!(matches!(unpack(&packed, (1 << 20) - 1), Err(GzipError::TooLarge(_))));
        assert!(matches!(unpack(&packed[..packed.len() - 9], 1 << 20), Err(GzipError::Broken(_))));
        assert!(matches!(unpack(b"no gzip", 9), Err(GzipError::Broken(_))));
    }
}
