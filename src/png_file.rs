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

/// Encodes frames of three bytes a pixel (red, green, blue): one as a still picture, several as an animated one
/// that shows each for so many milliseconds and begins again for ever.
pub fn of_frames(size: [u32; 2], frames: &[Vec<u8>], milliseconds: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let begun = match frames.len() {
        0 | 1 => Ok(()),
        count => encoder.set_animated(count as u32, 0).and_then(|()| encoder.set_frame_delay(milliseconds, 1000)),
    };
    let written = begun.and_then(|()| encoder.write_header()).and_then(|mut writer| {
        frames.iter().try_for_each(|frame| writer.write_image_data(frame))?;
        writer.finish()
    });
    written.expect("memory takes every byte, and each frame fills the picture");
    bytes
}
