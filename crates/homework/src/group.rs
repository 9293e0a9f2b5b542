//! A group of cases.

/// A group of cases.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The points.
    pub points: f64,
    /// How they are counted.
    pub count: Count,
    /// What students are told about it.
    pub hint: Option<String>,
}

/// How the points of a group are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Each case has its share.
    Sum,
    /// The worst case decides.
    Least,
    /// All points if all cases are right, else none.
    AllOrNothing,
}
