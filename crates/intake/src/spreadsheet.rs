//! Lines of CSV files (RFC 4180), safe to open in a spreadsheet: no field is run as a formula.

use anyhow::Result;
use csv::{QuoteStyle, WriterBuilder};

/// Returns one line of a CSV file. A field that a spreadsheet would run as a formula gets an apostrophe in front.
pub fn row<const FIELDS: usize>(fields: [&str; FIELDS]) -> Result<String> {
    let is_formula = |field: &str| field.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let fields = fields.map(|field| if is_formula(field) { format!("'{field}") } else { field.to_string() });
    // Some spreadsheets split unquoted fields at semicolons or tabs.
    let splits = fields.iter().any(|field| field.contains([';', '\t']));
    let style = if splits { QuoteStyle::Always } else { QuoteStyle::Necessary };
    let mut writer = WriterBuilder::new().quote_style(style).from_writer(Vec::new());
    writer.write_record(fields)?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_is_a_formula_or_breaks_its_line() {
        assert_eq!(row(["ann", "o\"neil, x", "=1+1"]).unwrap(), "ann,\"o\"\"neil, x\",'=1+1\n");
        assert_eq!(row(["ann;=1+1", "\t=1"]).unwrap(), "\"ann;=1+1\",\"'\t=1\"\n");
        assert_eq!(row(["\r=1+1"]).unwrap(), "\"'\r=1+1\"\n");
        assert_ne!(row(["'=1+1"]).unwrap(), row(["=1+1"]).unwrap());
    }
}
