//! Structs of the columns of a row.

/// Makes a struct of the columns of a row, which have the names of its fields.
macro_rules! row {
    ($(#[$about:meta])* $see:vis struct $name:ident {
        $($(#[$field:meta])* $sees:vis $column:ident: $type:ty),* $(,)?
    }) => {
        $(#[$about])* $see struct $name { $($(#[$field])* $sees $column: $type),* }

        impl sqlx::FromRow<'_, sqlx::any::AnyRow> for $name {
            fn from_row(row: &sqlx::any::AnyRow) -> sqlx::Result<$name> {
                Ok($name { $($column: sqlx::Row::try_get(row, stringify!($column))?),* })
            }
        }
    };
}
pub(crate) use row;
