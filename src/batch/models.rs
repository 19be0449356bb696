//! The files of the models: each piece, the plates to print, and the solution put together and taken apart.

use rayon::prelude::*;

use super::{BatchError, Work};
use crate::export::{glb, step, stl, threemf};
use crate::picture::{self, Picture, View};
use crate::png_file;
use crate::progress::printable;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::corner::{Corner, best_corner};
use crate::puzzle::moves::WayApart;
use crate::puzzle::piece::Piece;
use crate::solid::bed::on_bed;
use crate::solid::dims::Dims;
use crate::solid::lettering::Lettering;
use crate::solid::model::Model;
use crate::solid::motion::Motion;
use crate::solid::plate::plates;
use crate::solid::scene::Scene;

/// What to show as an animated picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Animation {
    /// The solution from all around.
    Turntable,
    /// How the pieces come together.
    Assembly,
}

/// Pixels along the longer side of a picture of the whole, of a small one such as that in a 3MF, and of an animation.
const WHOLE: u32 = 800;
const SMALL: u32 = 320;
const ANIMATED: u32 = 480;
/// Along the longer side of the pictures of taking apart, and how many of the first moves, and of the last, are shown.
const STEP: u32 = 640;
const STEPS: usize = 4;
/// How long each frame of an animation is shown.
const FRAME: u16 = 50;
/// Frames of a whole turn.
const TURN: u32 = 72;

impl Work<'_> {
    /// Builds every piece, and writes its files where models are wanted.
    pub(super) fn build_models(&self, dims: &Dims, lettering: &Lettering) -> Result<Vec<Model>, BatchError> {
        let pieces = &self.puzzle.pieces;
        self.progress.stage("modelling", pieces.len() as u64);
        let build = |(piece, file): (&Piece, &String)| {
            self.stop_if_asked()?;
            let model = Model::build(piece, dims, lettering).map_err(BatchError::Model)?;
            if self.request.stages.models {
                self.write_piece(piece, file, &model, dims, lettering)?;
            }
            self.progress.step();
            Ok(model)
        };
        pieces.par_iter().zip(&self.files).map(build).collect()
    }

    fn write_piece(
        &self,
        piece: &Piece,
        file: &str,
        model: &Model,
        dims: &Dims,
        lettering: &Lettering,
    ) -> Result<(), BatchError> {
        let mut scene = Scene::of_piece(piece, model);
        self.folder.write(&format!("pieces/{file}.step"), &step::write(&scene))?;
        let upright = scene.clone().on_bed();
        self.folder.write(&format!("pieces/{file}.glb"), &glb::write(&upright, None))?;
        let picture = png(&picture::still(&upright, &View::isometric(Corner::default()), SMALL));
        self.folder.write(&format!("pieces/{file}.png"), &picture)?;
        scene.instances[0].transform = on_bed(piece, model, lettering);
        self.folder.write(&format!("pieces/{file}.stl"), &stl::write(&scene))?;
        let [width, depth] = dims.bed();
        self.write_3mf(&format!("pieces/{file}"), &scene.moved([width / 2.0, depth / 2.0, 0.0]), &picture)
    }

    /// Writes the pieces that the assembly takes, or else that the puzzle needs at least, laid out for printing; what
    /// the user should know of it, a line each.
    pub(super) fn write_plates(
        &self,
        assembly: Option<&Assembly>,
        models: &[Model],
        dims: &Dims,
        lettering: &Lettering,
    ) -> Result<Vec<String>, BatchError> {
        let puzzle = self.puzzle;
        let needed = |id| match assembly {
            Some(assembly) => assembly.count(id),
            None => *puzzle.piece(id).count.start() as usize,
        };
        let copies: Vec<usize> = puzzle.ids().map(needed).collect();
        let laid_out = plates(puzzle, &copies, models, dims, lettering);
        let numbered: Vec<(usize, &Scene<'_>)> = (1..).zip(&laid_out.plates).collect();
        numbered.par_iter().try_for_each(|(number, plate)| {
            self.stop_if_asked()?;
            let thumbnail = png(&picture::still(plate, &View::isometric(Corner::default()), SMALL));
            self.write_3mf(&format!("plate-{number}"), plate, &thumbnail)
        })?;
        let [width, depth] = dims.bed();
        let warn = |&id| {
            let name = printable(&puzzle.piece(id).name);
            format!(
                "piece '{name}' does not fit on a bed of {width} x {depth} mm and is on no plate; say --bed if yours is larger"
            )
        };
        Ok(laid_out.too_large.iter().map(warn).collect())
    }

    /// Writes the solution assembled and exploded, or taken apart where it has a way to; by how much proud digits keep its
    /// pieces apart, in millimetres.
    pub(super) fn write_assembly(
        &self,
        assembly: &Assembly,
        way: Option<&WayApart>,
        models: &[Model],
        dims: &Dims,
    ) -> Result<f64, BatchError> {
        let puzzle = self.puzzle;
        let assembled = Scene::assembled(puzzle, assembly, models, dims);
        let along = |way, steps| Scene::along(puzzle, assembly, way, steps, models, dims);
        let exploded = match way {
            Some(way) => along(way, way.steps.len()),
            None => Scene::exploded(puzzle, assembly, models, dims),
        };
        let home = assembled.to_bed();
        let (assembled, exploded) = (assembled.on_bed(), exploded.on_bed());
        // Along a way apart, what moves stays where it is beside what does not, also where that is below the bed.
        let scenes: Vec<Scene<'_>> = match way {
            Some(way) => (0..=way.steps.len()).rev().map(|steps| along(way, steps).moved(home)).collect(),
            None => vec![exploded.clone(), assembled.clone()],
        };
        let motion = Motion::through(&scenes);
        let corner = best_corner(puzzle, assembly);
        let (whole, apart) = (View::isometric(corner), View::askew(corner));
        let files = [("assembled", &assembled, &assembled, &whole), ("exploded", &exploded, &scenes[0], &apart)];
        files.par_iter().try_for_each(|(name, scene, moving, view)| {
            self.stop_if_asked()?;
            self.folder.write(&format!("{name}.stl"), &stl::write(scene))?;
            self.folder.write(&format!("{name}.step"), &step::write(scene))?;
            self.folder.write(&format!("{name}.glb"), &glb::write(moving, Some(&motion)))?;
            self.folder.write(&format!("{name}.png"), &png(&picture::still(scene, view, WHOLE)))?;
            Ok::<(), BatchError>(())
        })?;
        if way.is_some() {
            self.write_steps(&scenes, &apart)?;
        }
        let thumbnail = png(&picture::still(&assembled, &whole, SMALL));
        self.write_3mf("assembled", &assembled.in_positive_octant(), &thumbnail)?;
        let (name, frames) = match self.request.animation {
            None => return Ok(assembled.spread),
            Some(Animation::Turntable) => ("turntable", picture::turntable(&assembled, whole, ANIMATED, TURN)),
            Some(Animation::Assembly) => ("assembly", self.film(&assembled, &motion, &apart)),
        };
        self.stop_if_asked()?;
        let size = frames[0].size;
        let frames: Vec<Vec<u8>> = frames.into_iter().map(|frame| frame.pixels).collect();
        self.folder.write(&format!("{name}.png"), &png_file::of_frames(size, &frames, FRAME))?;
        Ok(assembled.spread)
    }

    /// Pictures of taking apart, on one scale: the whole after each of the first moves, and of the last. `scenes` are those
    /// after each move, the last one first, and before any.
    fn write_steps(&self, scenes: &[Scene<'_>], view: &View) -> Result<(), BatchError> {
        let moves = scenes.len() - 1;
        let shown: Vec<usize> = (1..=moves).filter(|&step| step <= STEPS || step > moves - STEPS.min(moves)).collect();
        let shots: Vec<Scene<'_>> = shown.iter().map(|step| scenes[moves - step].clone()).collect();
        let width = moves.to_string().len();
        self.stop_if_asked()?;
        let pictures = picture::film(&shots, view, STEP);
        shown.par_iter().zip(&pictures).try_for_each(|(step, picture)| {
            Ok(self.folder.write(&format!("steps/{step:0width$}.png"), &png(picture))?)
        })
    }

    fn film(&self, scene: &Scene<'_>, motion: &Motion, view: &View) -> Vec<Picture> {
        let seconds = motion.seconds().last().copied().unwrap_or(0.0);
        let frame = f64::from(FRAME) / 1000.0;
        let scenes: Vec<Scene<'_>> =
            (0..(seconds / frame) as u32).map(|k| motion.at(scene, f64::from(k) * frame)).collect();
        picture::film(&scenes, view, ANIMATED)
    }

    fn write_3mf(&self, name: &str, scene: &Scene<'_>, thumbnail: &[u8]) -> Result<(), BatchError> {
        Ok(self.folder.write(&format!("{name}.3mf"), &threemf::write(scene, &self.puzzle.credits, thumbnail))?)
    }
}

fn png(picture: &Picture) -> Vec<u8> {
    png_file::of_pixels(picture.size, &picture.pixels)
}
