//! How the instances of a scene move, for animations: straight lines from key to key.

use super::scene::Scene;
use super::vector::{Vector, add, scale};

/// Where each instance of a scene is at which time. Nothing turns on its way.
///
/// # Guarantees
/// Every instance has a place for each of the times; the times rise from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    seconds: Vec<f64>,
    places: Vec<Vec<Vector>>,
}

/// Stillness before the pieces move and after, how long a move takes, and how long a whole explosion, in seconds.
const STILL: f64 = 0.8;
const MOVE: f64 = 0.7;
const EXPLOSION: f64 = 2.4;

impl Motion {
    /// From where the instances are in one scene to where the same are in the next, and so on.
    ///
    /// # Panics
    /// When there is no scene.
    pub fn through(scenes: &[Scene<'_>]) -> Motion {
        let [first, .., last] = scenes else { return Motion::through(&[scenes[0].clone(), scenes[0].clone()]) };
        let each = if scenes.len() == 2 { EXPLOSION } else { MOVE };
        let moved = (0..scenes.len()).map(|k| STILL + each * k as f64);
        let end = 2.0 * STILL + each * (scenes.len() - 1) as f64;
        let seconds = std::iter::once(0.0).chain(moved).chain([end]).collect();
        let keys = || std::iter::once(first).chain(scenes).chain([last]);
        let places = |instance: usize| keys().map(|scene| scene.instances[instance].transform.translation).collect();
        Motion { seconds, places: (0..first.instances.len()).map(places).collect() }
    }

    /// The times of the keys, in seconds.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// The translations of each instance at these times, in millimetres.
    pub fn places(&self) -> &[Vec<Vector>] {
        &self.places
    }

    /// The scene at that time.
    pub fn at<'a>(&self, scene: &Scene<'a>, second: f64) -> Scene<'a> {
        let next = self.seconds.partition_point(|&key| key <= second).clamp(1, self.seconds.len() - 1);
        let [start, end] = [self.seconds[next - 1], self.seconds[next]];
        let share = ((second - start) / (end - start)).clamp(0.0, 1.0);
        let mut scene = scene.clone();
        for (instance, places) in scene.instances.iter_mut().zip(&self.places) {
            instance.transform.translation = add(scale(places[next - 1], 1.0 - share), scale(places[next], share));
        }
        scene
    }
}
