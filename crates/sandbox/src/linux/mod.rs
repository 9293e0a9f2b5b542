//! The box, which only Linux has: `isolation` is what it is made of, `accounting` what it is
//! measured by, `supervise` who watches it. `requests` starts processes of ours; `probes` try to
//! get out.

pub(crate) mod accounting;
mod descriptors;
pub(crate) mod isolation;
pub mod probes;
pub mod process_tree;
pub(crate) mod requests;
pub mod supervise;
