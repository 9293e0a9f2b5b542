//! A file in YAML, whose scalars stay texts. Every error names the file and the line.

use anyhow::{Context, Error, Result, anyhow};
use arena::{plain, toml_text};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::HashMap;
use std::path::Path;

/// Lists and maps within others.
const DEEPEST: usize = 32;
/// Values of a file, counted again where an alias repeats them.
const MOST_VALUES: usize = 20_000;

/// A value, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Yaml {
    /// `FILE:LINE`, of its key if it has one.
    place: String,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Null,
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

/// A list or a map whose end has not come yet.
struct Open {
    yaml: Yaml,
    anchor: usize,
    /// A key without its value, and the key's place.
    key: Option<(String, String)>,
}

impl Yaml {
    /// Reads a file of at most 1 MiB.
    pub(crate) fn read(path: &Path) -> Result<Yaml> {
        Yaml::parse(&path.display().to_string(), &toml_text::read(path)?)
    }

    /// Reads one document; errors give it this name. An empty one is a map without keys.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Yaml> {
        let (mut open, mut root) = (Vec::<Open>::new(), None);
        let (mut anchors, mut values) = (HashMap::new(), 0);
        let at = |line: usize| format!("{name}:{line}");
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| {
                anyhow!("{}: {}", at(error.marker().line()), plain::shown(error.info()))
            })?;
            let place = at(span.start.line());
            if open.len() > DEEPEST {
                return Err(anyhow!("{place}: more than {DEEPEST} lists and maps within others"));
            }
            let new = |value| Yaml { place: place.clone(), value };
            let (yaml, anchor) = match event {
                Event::Scalar(text, style, anchor, _) => {
                    let is_plain = style == ScalarStyle::Plain;
                    let is_null = matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                    let value = match is_plain && is_null {
                        true => Value::Null,
                        false => Value::Text(text.into_owned()),
                    };
                    (new(value), anchor)
                }
                Event::SequenceStart(anchor, _) => {
                    open.push(Open { yaml: new(Value::List(Vec::new())), anchor, key: None });
                    continue;
                }
                Event::MappingStart(anchor, _) => {
                    open.push(Open { yaml: new(Value::Map(Vec::new())), anchor, key: None });
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    let Some(Open { yaml, anchor, .. }) = open.pop() else { continue };
                    (yaml, anchor)
                }
                Event::Alias(anchor) => {
                    let known: Option<&Yaml> = anchors.get(&anchor);
                    let known = known.with_context(|| format!("{place}: an alias of itself"))?;
                    values += known.count();
                    (known.clone(), 0)
                }
                Event::DocumentStart(_) if root.is_some() => {
                    return Err(anyhow!("{place}: expected one document, found a second one"));
                }
                _ => continue,
            };
            values += 1;
            if values > MOST_VALUES {
                return Err(anyhow!("{place}: more than {MOST_VALUES} values"));
            }
            if anchor > 0 {
                anchors.insert(anchor, yaml.clone());
            }
            match open.last_mut() {
                None => root = Some(yaml),
                Some(above) => above.add(yaml, &place)?,
            }
        }
        let root = root.filter(|root| !matches!(root.value, Value::Null));
        Ok(root.unwrap_or(Yaml { place: at(1), value: Value::Map(Vec::new()) }))
    }

    fn count(&self) -> usize {
        1 + match &self.value {
            Value::Null | Value::Text(_) => 0,
            Value::List(list) => list.iter().map(Yaml::count).sum(),
            Value::Map(map) => map.iter().map(|(_, value)| value.count()).sum(),
        }
    }

    /// An error about this value.
    pub(crate) fn error(&self, words: impl std::fmt::Display) -> Error {
        anyhow!("{}: {words}", self.place)
    }

    /// The value of a key of a map, if it has one.
    pub(crate) fn get(&self, key: &str) -> Option<&Yaml> {
        let (_, value) = self.entries().iter().find(|(other, _)| other == key)?;
        (!matches!(value.value, Value::Null)).then_some(value)
    }

    /// The keys and values of a map; nothing of another value.
    pub(crate) fn entries(&self) -> &[(String, Yaml)] {
        if let Value::Map(map) = &self.value { map } else { &[] }
    }

    /// The map, whose keys have to be among these words.
    pub(crate) fn map_of(&self, keys: &str) -> Result<&Yaml> {
        if !matches!(self.value, Value::Map(_) | Value::Null) {
            return Err(self.error("expected keys and values"));
        }
        let is_known = |key: &String| keys.split_whitespace().any(|known| known == key);
        match self.entries().iter().find(|(key, _)| !is_known(key)) {
            Some((key, value)) => {
                let key = plain::shown(key);
                Err(value.error(format!("unknown key '{key}', expected one of {keys}")))
            }
            None => Ok(self),
        }
    }

    pub(crate) fn text(&self) -> Result<&str> {
        match &self.value {
            Value::Text(text) => Ok(text),
            Value::Null => Ok(""),
            _ => Err(self.error("expected a text")),
        }
    }

    /// The texts of a list, or the words of one text.
    pub(crate) fn words(&self) -> Result<Vec<String>> {
        match &self.value {
            Value::List(list) => list.iter().map(|one| Ok(one.text()?.to_string())).collect(),
            _ => Ok(self.text()?.split_whitespace().map(str::to_string).collect()),
        }
    }

    /// A finite number in this range.
    pub(crate) fn number(&self, least: f64, most: f64) -> Result<f64> {
        let text = self.text()?;
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            let text = plain::shown(text);
            self.error(format!("expected a number from {least} to {most}, found '{text}'"))
        })
    }

    /// A whole number of MiB, up to `most`.
    pub(crate) fn mib(&self, most: u64) -> Result<u64> {
        let number = self.text()?.parse().ok().filter(|mib| (1..=most).contains(mib));
        number.ok_or_else(|| self.error(format!("expected whole MiB from 1 to {most}")))
    }
}

impl Open {
    fn add(&mut self, yaml: Yaml, place: &str) -> Result<()> {
        match (&mut self.yaml.value, self.key.take()) {
            (Value::List(list), _) => list.push(yaml),
            (Value::Map(map), Some((key, place))) => map.push((key, Yaml { place, ..yaml })),
            (Value::Map(map), None) => {
                let key = yaml.text().map_err(|_| anyhow!("{place}: expected a text as key"))?;
                if map.iter().any(|(other, _)| other == key) {
                    let key = plain::shown(key);
                    return Err(anyhow!("{place}: the key '{key}' is there twice"));
                }
                self.key = Some((key.to_string(), place.to_string()));
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        format!("{:#}", Yaml::parse("f", text).unwrap_err())
    }

    #[test]
    fn every_style_of_yaml_is_read() {
        for text in [
            "args: [float_tolerance, 1e-2]",
            "args:\n  - float_tolerance\n  - 1e-2  # a comment\n",
            "args: float_tolerance 1e-2",
            "{args: ['float_tolerance', \"1e-2\"]}",
            "---\nargs: >\n  float_tolerance\n  1e-2\n...\n",
            "all: &all [float_tolerance, 1e-2]\nargs: *all\n",
        ] {
            let yaml = Yaml::parse("f", text).unwrap();
            let words = yaml.get("args").unwrap().words().unwrap();
            assert_eq!(words, ["float_tolerance", "1e-2"], "{text}");
        }
        let yaml = Yaml::parse("f", "a:\nb: ~\nc: ''\nd:\n  e: 'x: y'\n").unwrap();
        assert!(yaml.get("a").is_none() && yaml.get("b").is_none());
        assert_eq!(yaml.get("c").unwrap().text().unwrap(), "");
        assert_eq!(yaml.get("d").unwrap().get("e").unwrap().text().unwrap(), "x: y");
        for text in ["", "# nothing\n", "---\n"] {
            assert!(Yaml::parse("f", text).unwrap().entries().is_empty());
        }
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(wrong("a: 1\nb: 2\na: 3\n"), "f:3: the key 'a' is there twice");
        assert_eq!(wrong("a: 1\n? [b]\n: 2\n"), "f:2: expected a text as key");
        assert_eq!(wrong("a: 1\n---\nb: 2\n"), "f:2: expected one document, found a second one");
        assert!(wrong("a: 1\nb: [1, 2\n").starts_with("f:"));
        let yaml = Yaml::parse("f", "a: 1\nlimts:\n  b: x\n").unwrap();
        let unknown = format!("{:#}", yaml.map_of("a limits").unwrap_err());
        assert_eq!(unknown, "f:2: unknown key 'limts', expected one of a limits");
        let number = |text: &str| {
            let yaml = Yaml::parse("f", text).unwrap();
            yaml.get("a").unwrap().number(0.0, 9.0).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(number("\n\na: 1e0"), Ok(1.0));
        for text in ["nan", "inf", "10", "x"] {
            let words = format!("f:3: expected a number from 0 to 9, found '{text}'");
            assert_eq!(number(&format!("\n\na: {text}")), Err(words));
        }
    }

    #[test]
    fn a_file_that_grows_while_it_is_read_is_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_string();
        for level in 1..12 {
            let below = vec![format!("*a{}", level - 1); 10].join(", ");
            text += &format!("a{level}: &a{level} [{below}]\n");
        }
        assert!(wrong(&text).ends_with(": more than 20000 values"));
        assert!(wrong(&"[".repeat(100_000)).starts_with("f:1: "));
        assert!(wrong(&"- ".repeat(1000)).contains("lists and maps within others"));
        assert_eq!(wrong("a: &a [*a]\n"), "f:1: an alias of itself");
    }
}
