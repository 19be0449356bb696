//! Sizes, in millimetres: resolved from settings and defaults, and checked against each other once.
//!
//! The comparisons are made in whole micrometres, so that a limit that a message names is a limit that works.

use std::fmt;

use crate::puzzle::settings::{Length, Settings, Style};

/// The sizes that a solid is built with.
///
/// # Guarantees
/// Pitch 3 to 300 mm; inset 0 to an eighth of the pitch; bevel 0 to a quarter of the core (pitch less twice the inset);
/// relief 0.05 mm to a quarter of the core, when proud to the bevel plus 0.8 mm; digits fit into the field; tolerance
/// 0.001 to 0.2 mm; bed 20 mm to 1 m each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dims {
    pitch: i32,
    inset: i32,
    bevel: i32,
    style: Style,
    relief: i32,
    digit_height: i32,
    tolerance: i32,
    bed: [i32; 2],
}

/// A setting that cannot work, with the number that would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DimsError {
    /// Below what can be made.
    Below {
        /// Which setting.
        setting: &'static str,
        /// What it was.
        is: Length,
        /// The least that works.
        least: Length,
    },
    /// Above what the other sizes leave room for.
    Above {
        /// Which setting.
        setting: &'static str,
        /// What it was.
        is: Length,
        /// The most that works.
        most: Length,
        /// What limits it.
        because: &'static str,
    },
    /// There is no room for digits of any height.
    NoRoom {
        /// The pitch from which there would be.
        pitch: Length,
    },
}

impl fmt::Display for DimsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DimsError::Below { setting, is, least } => {
                write!(f, "{setting} {is} mm is too little: use at least {least} mm")
            }
            DimsError::Above { setting, is, most, because } => {
                write!(f, "{setting} {is} mm is too much: {because} at most {most} mm")
            }
            DimsError::NoRoom { pitch } => {
                write!(f, "bevel, relief and rim leave no room for digits: use a pitch of at least {pitch} mm")
            }
        }
    }
}

impl std::error::Error for DimsError {}

impl DimsError {
    /// The key of the setting that it is about.
    pub fn setting(&self) -> &'static str {
        match self {
            DimsError::Below { setting, .. } | DimsError::Above { setting, .. } => match *setting {
                "digit height" => "digit_height",
                setting => setting,
            },
            DimsError::NoRoom { .. } => "pitch",
        }
    }
}

/// The body left standing around a recess, so that it prints as two lines of a 0.4 mm nozzle.
const RIM: i32 = 800;
/// The gap between a digit and the wall of its panel.
const GAP: i32 = 600;

impl Dims {
    /// The sizes that the settings ask for, `default_pitch` and the defaults where they say nothing.
    pub fn resolve(settings: &Settings, default_pitch: Length) -> Result<Dims, DimsError> {
        let pitch = Asked { setting: "pitch", length: Some(settings.pitch.unwrap_or(default_pitch)) };
        let pitch = pitch.within(3_000, 300_000, "pieces can be", 20_000)?;
        let inset = Asked { setting: "inset", length: settings.inset };
        let inset = inset.within(0, pitch / 8, "the pitch allows", 100)?;
        let core = pitch - 2 * inset;
        let bevel = Asked { setting: "bevel", length: settings.bevel };
        let bevel = bevel.within(0, core / 4, "pitch and inset allow", 600)?;
        let style = settings.style.unwrap_or_default();
        let relief = Asked { setting: "relief", length: settings.relief };
        let relief = match style {
            Style::Embossed => relief.within(50, core / 4, "the wall allows", 600),
            Style::Engraved => relief.within(50, core / 4, "the wall allows", 400),
            // Higher ones on both sides of an inner corner of a piece could meet.
            Style::Proud => relief.within(50, (core / 4).min(bevel + RIM), "bevel and rim allow", 600),
        }?;
        let tolerance = Asked { setting: "tolerance", length: settings.tolerance };
        let tolerance = tolerance.within(1, 200, "curves stay smooth with", 10)?;

        let side = |k: usize| {
            let length = settings.bed.map(|bed| bed[k]);
            Asked { setting: "bed", length }.within(20_000, Length::MOST.micrometres, "beds are", 220_000)
        };
        let bed = [side(0)?, side(1)?];

        let mut dims = Dims { pitch, inset, bevel, style, relief, digit_height: 0, tolerance, bed };
        let height = Asked { setting: "digit height", length: settings.digit_height };
        let room = 2 * dims.field_micrometres();
        if room < 1_000 {
            // Pieces without digits can still be made.
            if height.at_least(100)?.is_some() {
                return Err(dims.no_room());
            }
        } else {
            dims.digit_height = height.within(100, room, "bevel, relief and rim leave", core * 11 / 20)?;
        }
        Ok(dims)
    }

    /// Distance between the centres of neighbouring cells.
    pub fn pitch(&self) -> f64 {
        millimetres(self.pitch)
    }

    /// Taken off each outer face.
    pub fn inset(&self) -> f64 {
        millimetres(self.inset)
    }

    /// What the inset leaves of a cell: pitch less twice the inset.
    pub fn core(&self) -> f64 {
        millimetres(self.pitch - 2 * self.inset)
    }

    /// Width of the chamfer along each face; 0 for sharp edges.
    pub fn bevel(&self) -> f64 {
        millimetres(self.bevel)
    }

    /// How digits stand on their faces.
    pub fn style(&self) -> Style {
        self.style
    }

    /// How far digits are raised or cut in.
    pub fn relief(&self) -> f64 {
        millimetres(self.relief)
    }

    /// Height of the tallest digit; 0 when there is no room for any.
    pub fn digit_height(&self) -> f64 {
        millimetres(self.digit_height)
    }

    /// The greatest distance between a curve and the chords that replace it in a mesh.
    pub fn tolerance(&self) -> f64 {
        millimetres(self.tolerance)
    }

    /// Width and depth of the printer's bed.
    pub fn bed(&self) -> [f64; 2] {
        self.bed.map(millimetres)
    }

    /// Half the side of the square on each face that digits may fill.
    pub fn field(&self) -> f64 {
        millimetres(self.field_micrometres())
    }

    /// Half the side of the recessed panel that embossed digits stand in.
    pub fn panel(&self) -> f64 {
        millimetres(self.field_micrometres() + GAP)
    }

    /// The refusal of digits that have no room.
    pub(super) fn no_room(&self) -> DimsError {
        DimsError::NoRoom { pitch: Length::of_micrometres(self.least_pitch()) }
    }

    /// The rim stands clear of the chamfer, and of a recess in the next face, which is as deep as this one.
    fn field_micrometres(&self) -> i32 {
        (self.pitch - 2 * self.inset) / 2 - self.border()
    }

    fn border(&self) -> i32 {
        match self.style {
            Style::Embossed => self.bevel.max(self.relief) + RIM + GAP,
            Style::Proud => self.bevel + RIM,
            Style::Engraved => self.bevel.max(self.relief) + RIM,
        }
    }

    /// The pitch from which digits 4 mm high have room.
    fn least_pitch(&self) -> i32 {
        2 * (self.inset + self.border()) + 4_000
    }
}

fn millimetres(micrometres: i32) -> f64 {
    f64::from(micrometres) / 1000.0
}

/// What the user asked for, if anything.
#[derive(Clone, Copy)]
struct Asked {
    setting: &'static str,
    length: Option<Length>,
}

impl Asked {
    fn at_least(self, least: i32) -> Result<Option<i32>, DimsError> {
        match self.length {
            Some(is) if is.micrometres < least => {
                Err(DimsError::Below { setting: self.setting, is, least: Length::of_micrometres(least) })
            }
            length => Ok(length.map(|l| l.micrometres)),
        }
    }

    /// What was asked for when it is within the limits; the default, clamped to them, when nothing was.
    fn within(self, least: i32, most: i32, because: &'static str, default: i32) -> Result<i32, DimsError> {
        match (self.at_least(least)?, self.length) {
            (Some(micrometres), Some(is)) if micrometres > most => {
                Err(DimsError::Above { setting: self.setting, is, most: Length::of_micrometres(most), because })
            }
            (asked, _) => Ok(asked.unwrap_or(default.clamp(least, most))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PITCH: Length = Length::of_micrometres(20_000);

    #[test]
    fn the_defaults_are_those_of_the_handbook() {
        let dims = Dims::resolve(&Settings::default(), PITCH).expect("the defaults work");
        assert_eq!((dims.pitch(), dims.inset(), dims.core(), dims.bevel()), (20.0, 0.1, 19.8, 0.6));
        assert_eq!((dims.style(), dims.relief(), dims.digit_height()), (Style::Embossed, 0.6, 10.89));
        assert_eq!((dims.field(), dims.panel(), dims.tolerance()), (7.9, 8.5, 0.01));
    }

    #[test]
    fn what_cannot_work_is_refused_with_the_number_that_would() {
        let resolve = |settings: Settings| Dims::resolve(&settings, PITCH).map_err(|error| error.to_string());
        let length = |micrometres| Some(Length::of_micrometres(micrometres));
        let base = Settings::default;
        for (settings, message) in [
            (Settings { pitch: length(1), ..base() }, "pitch 0.001 mm is too little: use at least 3 mm"),
            (
                Settings { pitch: length(1_000_000), ..base() },
                "pitch 1000 mm is too much: pieces can be at most 300 mm",
            ),
            (Settings { inset: length(-50), ..base() }, "inset -0.05 mm is too little: use at least 0 mm"),
            (
                Settings { bevel: length(5_000), ..base() },
                "bevel 5 mm is too much: pitch and inset allow at most 4.95 mm",
            ),
            (Settings { relief: length(5_000), ..base() }, "relief 5 mm is too much: the wall allows at most 4.95 mm"),
            (
                Settings { relief: length(1_500), style: Some(Style::Proud), ..base() },
                "relief 1.5 mm is too much: bevel and rim allow at most 1.4 mm",
            ),
            (
                Settings { digit_height: length(16_000), ..base() },
                "digit height 16 mm is too much: bevel, relief and rim leave at most 15.8 mm",
            ),
            (Settings { tolerance: length(0), ..base() }, "tolerance 0 mm is too little: use at least 0.001 mm"),
            (
                Settings { pitch: length(4_000), digit_height: length(2_000), ..base() },
                "bevel, relief and rim leave no room for digits: use a pitch of at least 8.2 mm",
            ),
        ] {
            assert_eq!(resolve(settings), Err(message.to_owned()));
        }
        assert!(resolve(Settings { digit_height: length(15_800), ..base() }).is_ok());
        assert!(resolve(Settings { bevel: length(4_950), ..base() }).is_ok());
    }
}
