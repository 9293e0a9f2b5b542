//! The headings of the columns that name people, in the files of course systems. They are compared
//! in lower case; where one column has to be chosen, an earlier heading counts before a later one.

/// What a person signs in with, or is known by: a number, a user's name, an e-mail address.
pub const IDS: [&str; 20] = [
    "id",
    "login",
    "sis login id",
    "sis user id",
    "id number",
    "id-nummer",
    "matrikelnummer",
    "student id",
    "sid",
    "orgdefinedid",
    "username",
    "anmeldename",
    "email",
    "email address",
    "e-mail",
    "e-mail-adresse",
    "e-mail address",
    "identifier",
    "identifikator",
    "submission id",
];
/// The whole name.
pub const NAMES: [&str; 5] = ["name", "student", "full name", "display name", "vollständiger name"];
/// The first name.
pub const FIRST_NAMES: [&str; 4] = ["first name", "firstname", "given name", "vorname"];
/// The last name.
pub const LAST_NAMES: [&str; 5] = ["last name", "surname", "lastname", "family name", "nachname"];
/// The name of the student who is nobody, as whom teachers look at a course in Canvas.
pub const PREVIEW_STUDENT: &str = "Student, Test";
/// Canvas's second line has these words in place of a student, and the most points of each
/// assignment.
pub const POINTS_POSSIBLE: &str = "Points Possible";
