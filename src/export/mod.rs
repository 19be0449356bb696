//! Bytes of the files that slicers, CAD programs and viewers open: functions from a scene to bytes.

pub mod step;
pub mod stl;
