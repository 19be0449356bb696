//! Pixels -> PNG bytes. The only file that names the PNG crate.

use std::io::Write;

use crate::puzzle::colour::Colour;

/// A picture of at most 256 colours, before its pixels.
pub struct Header<'a> {
    /// Pixels across and down; neither is 0.
    pub size: [u32; 2],
    /// Dots an inch, written into the file so that it prints in its real size.
    pub dpi: u32,
    /// The colours that the pixels number.
    pub palette: &'a [Colour],
}

/// Encodes pixels of a palette that come in bands of whole rows, a byte each.
pub fn of_palette(header: &Header<'_>, bands: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let [width, height] = header.size;
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(header.palette.iter().flat_map(|c| [c.red, c.green, c.blue]).collect::<Vec<u8>>());
    let a_metre = (f64::from(header.dpi) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: a_metre, yppu: a_metre, unit: png::Unit::Meter }));
    // Its own choice of filters is as fast as any one filter and makes files a fifth smaller. Balanced compression saves
    // another third for twice the time of a whole set of nets.
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| {
        let mut stream = writer.stream_writer()?;
        for band in bands {
            stream.write_all(&band)?;
        }
        stream.finish()?;
        writer.finish()
    });
    written.expect("memory takes every byte, and the bands make up the picture");
    bytes
}

/// Encodes a still picture of three bytes a pixel: red, green and blue.
pub fn of_pixels(size: [u32; 2], pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = encoder(&mut bytes, size, png::ColorType::Rgb).write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    written.expect("memory takes every byte, and the pixels fill the picture");
    bytes
}

/// Encodes frames of three bytes a pixel as a moving picture that shows each for so many milliseconds and begins again for
/// ever. A frame holds the rectangle in which it differs from the one before. Whether it is smaller when what stays the
/// same is transparent depends on what moves; the smaller one is taken.
pub fn of_frames(size: [u32; 2], frames: &[Vec<u8>], milliseconds: u16) -> Vec<u8> {
    let encoded =
        [png::ColorType::Rgb, png::ColorType::Rgba].map(|colours| changes(size, frames, milliseconds, colours));
    encoded.into_iter().min_by_key(Vec::len).unwrap_or_default()
}

fn changes(size: [u32; 2], frames: &[Vec<u8>], milliseconds: u16, colours: png::ColorType) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = encoder(&mut bytes, size, colours);
    let begun = encoder.set_animated(frames.len() as u32, 0);
    let begun = begun.and_then(|()| encoder.set_frame_delay(milliseconds, 1000));
    let written = begun.and_then(|()| encoder.write_header()).and_then(|mut writer| {
        let mut before: Option<&[u8]> = None;
        for frame in frames {
            let Change { at, size, pixels } = Change::of(before, frame, size, colours == png::ColorType::Rgba);
            writer.reset_frame_position()?;
            writer.set_frame_dimension(size[0], size[1])?;
            writer.set_frame_position(at[0], at[1])?;
            writer.set_blend_op(if before.is_some() { png::BlendOp::Over } else { png::BlendOp::Source })?;
            writer.write_image_data(&pixels)?;
            before = Some(frame);
        }
        writer.finish()
    });
    written.expect("memory takes every byte, and each change lies in the picture");
    bytes
}

fn encoder(bytes: &mut Vec<u8>, [width, height]: [u32; 2], colours: png::ColorType) -> png::Encoder<'_, &mut Vec<u8>> {
    let mut encoder = png::Encoder::new(bytes, width, height);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder
}

/// The part of a frame that is not as before.
struct Change {
    at: [u32; 2],
    size: [u32; 2],
    /// Red, green, blue, and where it can hide pixels, whether it shows this one.
    pixels: Vec<u8>,
}

impl Change {
    /// All of the first frame; where nothing changes, one pixel.
    fn of(before: Option<&[u8]>, frame: &[u8], [width, height]: [u32; 2], hides: bool) -> Change {
        let place = |x: u32, y: u32| 3 * (y * width + x) as usize;
        let pixel = |x: u32, y: u32| &frame[place(x, y)..][..3];
        let is_new = |x: u32, y: u32| before.is_none_or(|before| before[place(x, y)..][..3] != *pixel(x, y));
        let news = (0..height).flat_map(|y| (0..width).map(move |x| [x, y])).filter(|&[x, y]| is_new(x, y));
        let around = news.fold(None, |around: Option<[[u32; 2]; 2]>, [x, y]| {
            let [low, high] = around.unwrap_or([[x, y]; 2]);
            Some([[low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]])
        });
        let [at, last] = around.unwrap_or_default();
        let mut pixels = Vec::new();
        for (x, y) in (at[1]..=last[1]).flat_map(|y| (at[0]..=last[0]).map(move |x| (x, y))) {
            match (hides, is_new(x, y)) {
                (false, _) => pixels.extend(pixel(x, y)),
                (true, true) => pixels.extend(pixel(x, y).iter().chain(&[u8::MAX])),
                (true, false) => pixels.extend([0; 4]),
            }
        }
        Change { at, size: [last[0] - at[0] + 1, last[1] - at[1] + 1], pixels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_put_over_each_other_are_those_that_went_in() {
        let size = [5, 4];
        let frame = |changed: &[(usize, u8)]| {
            let mut pixels = vec![7; 60];
            changed.iter().for_each(|&(place, value)| pixels[place] = value);
            pixels
        };
        let frames =
            [frame(&[(0, 1)]), frame(&[(0, 1), (18, 2), (37, 3)]), frame(&[(0, 1), (18, 2), (37, 3)]), frame(&[])];
        let encoded = [png::ColorType::Rgb, png::ColorType::Rgba].map(|colours| changes(size, &frames, 50, colours));
        for (bytes, channels) in encoded.iter().zip([3, 4]) {
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
            assert_eq!(reader.info().animation_control().map(|control| control.num_frames), Some(4));
            let mut shown = vec![0; 60];
            let mut sizes = Vec::new();
            for frame in &frames {
                let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
                reader.next_frame(&mut pixels).expect("a frame");
                let control = *reader.info().frame_control().expect("a frame of an animation");
                sizes.push([control.width, control.height]);
                for (k, pixel) in
                    pixels.chunks_exact(channels).take((control.width * control.height) as usize).enumerate()
                {
                    let (x, y) =
                        (k as u32 % control.width + control.x_offset, k as u32 / control.width + control.y_offset);
                    if pixel.get(3) != Some(&0) {
                        shown[3 * (y * size[0] + x) as usize..][..3].copy_from_slice(&pixel[..3]);
                    }
                }
                assert_eq!(&shown, frame);
            }
            assert_eq!(sizes, [[5, 4], [2, 2], [1, 1], [3, 3]]);
        }
        assert_eq!(of_frames(size, &frames, 50).len(), encoded.iter().map(Vec::len).min().expect("two"));
    }
}
