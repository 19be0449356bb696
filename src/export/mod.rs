//! Bytes of the files that slicers, CAD programs and viewers open: functions from a scene to bytes.

pub mod glb;
pub mod step;
pub mod stl;
pub mod threemf;
