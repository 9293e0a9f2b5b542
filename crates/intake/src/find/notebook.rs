use serde_json::Value;

/// The code of a notebook as one Python program, with the number of its cells. Lines that only a
/// notebook understands, such as `%matplotlib inline`, become comments.
pub(crate) fn program(notebook: &str) -> Option<(String, usize)> {
    let notebook: Value = serde_json::from_str(notebook).ok()?;
    let language = [
        &notebook["metadata"]["kernelspec"]["language"],
        &notebook["metadata"]["language_info"]["name"],
    ];
    if language.iter().filter_map(|name| name.as_str()).any(|name| name != "python") {
        return None;
    }
    let (mut text, mut count) = (String::new(), 0);
    for cell in notebook["cells"].as_array()?.iter().filter(|cell| cell["cell_type"] == "code") {
        let source = match &cell["source"] {
            Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
            source => source.as_str().unwrap_or_default().to_string(),
        };
        // A cell that begins with %% is for another program as a whole.
        let is_foreign = source.trim_start().starts_with("%%");
        for line in source.lines() {
            let is_command = is_foreign || line.trim_start().starts_with(['%', '!', '?']);
            text += if is_command { "pass  # " } else { "" };
            text += line;
            text += "\n";
        }
        count += usize::from(!source.trim().is_empty());
    }
    (count > 0).then_some((text, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_cells_of_a_notebook_are_one_program() {
        let notebook = r##"{"metadata": {"kernelspec": {"language": "python"}}, "cells": [
            {"cell_type": "markdown", "source": "# Halma"},
            {"cell_type": "code", "source": ["import sys\n", "%matplotlib inline\n", "x = 1"]},
            {"cell_type": "code", "source": "%%bash\nls"}, {"cell_type": "code", "source": ""}]}"##;
        let text = "import sys\npass  # %matplotlib inline\nx = 1\npass  # %%bash\npass  # ls\n";
        assert_eq!(program(notebook), Some((text.to_string(), 2)));
        for none in ["", "{}", "[1]", "{\"cells\": []}", &notebook.replace("\"python\"", "\"R\"")] {
            assert_eq!(program(none), None, "{none}");
        }
    }
}
