//! Checkers of the two schemas beside this file: as much of JSON Schema and of XML Schema as these use. A word of theirs
//! that the checkers do not know is an error, so that nothing is passed over.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;
use std::collections::BTreeMap;

/// Validates a value against a JSON Schema: returns the first violation with its place.
pub(crate) fn against_json_schema(schema: &Value, value: &Value, place: &str) -> Option<String> {
    let wrong = |what: &str| Some(format!("{place}: {what}: {value}"));
    for (word, rule) in schema.as_object().unwrap() {
        let list = || rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
        let found = match word.as_str() {
            "$comment" => None,
            "type" => {
                (!list().iter().any(|kind| is_of_type(value, kind.as_str().unwrap()))).then(|| wrong("type")).flatten()
            }
            "enum" => (!list().contains(value)).then(|| wrong("none of the words")).flatten(),
            "minimum" => (value.as_f64() < rule.as_f64()).then(|| wrong("too small")).flatten(),
            "required" => list()
                .iter()
                .find(|key| value.get(key.as_str().unwrap()).is_none())
                .and_then(|key| wrong(&format!("no {key}"))),
            "additionalProperties" => {
                assert_eq!(rule, false);
                let known = schema["properties"].as_object().unwrap();
                let keys = value.as_object().into_iter().flat_map(|object| object.keys());
                keys.filter(|key| !known.contains_key(*key)).find_map(|key| wrong(&format!("unknown {key}")))
            }
            "properties" => rule
                .as_object()
                .unwrap()
                .iter()
                .find_map(|(key, rule)| against_json_schema(rule, value.get(key)?, &format!("{place}.{key}"))),
            "items" => value
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
                .find_map(|(index, item)| against_json_schema(rule, item, &format!("{place}[{index}]"))),
            _ => panic!("the checker does not know {word}"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        _ => panic!("the checker does not know {kind}"),
    }
}

/// An element with its attributes and children.
pub(crate) struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
    has_text: bool,
}

impl Element {
    /// The root of a document.
    pub(crate) fn read(text: &str) -> Element {
        let mut reader = Reader::from_str(text);
        let mut open =
            vec![Element { name: String::new(), attributes: BTreeMap::new(), children: Vec::new(), has_text: false }];
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => open.push(Element::begun(&start)),
                Event::Empty(start) => {
                    let element = Element::begun(&start);
                    open.last_mut().unwrap().children.push(element);
                }
                Event::End(_) => {
                    let element = open.pop().unwrap();
                    open.last_mut().unwrap().children.push(element);
                }
                Event::Text(text) if text.iter().any(|byte| !byte.is_ascii_whitespace()) => {
                    open.last_mut().unwrap().has_text = true;
                }
                Event::GeneralRef(_) | Event::CData(_) => open.last_mut().unwrap().has_text = true,
                Event::Eof => return open.remove(0).children.pop().unwrap(),
                _ => {}
            }
        }
    }

    fn begun(start: &BytesStart) -> Element {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let attributes = start.attributes().map(|attribute| {
            let attribute = attribute.unwrap();
            (text(attribute.key.as_ref()), text(&attribute.value))
        });
        Element {
            name: text(start.name().as_ref()),
            attributes: attributes.collect(),
            children: Vec::new(),
            has_text: false,
        }
    }

    fn get(&self, attribute: &str) -> Option<&str> {
        self.attributes.get(attribute).map(String::as_str)
    }

    /// The child of a name.
    fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The child of this kind that declares a name.
    fn declared(&self, kind: &str, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == kind && child.get("name") == Some(name))
    }
}

/// Validates an element against an XML Schema: returns the first violation.
pub(crate) fn against_xsd(schema: &Element, element: &Element) -> Option<String> {
    let name = &element.name;
    let Some(declared) = schema.declared("xs:element", name) else { return Some(format!("<{name}> is not declared")) };
    let kind = declared.get("type");
    let content = match kind {
        Some("xs:string") => {
            let plain = element.attributes.is_empty() && element.children.is_empty();
            return (!plain).then(|| format!("<{name}> is text alone"));
        }
        Some(kind) => schema.declared("xs:complexType", kind).expect("a declared type"),
        None => declared.child("xs:complexType").expect("a type of its own"),
    };
    let extension = content.child("xs:simpleContent").map(|simple| simple.child("xs:extension").unwrap());
    let attributes = || extension.unwrap_or(content).children.iter().filter(|child| child.name == "xs:attribute");
    for (attribute, value) in &element.attributes {
        let Some(rule) = attributes().find(|rule| rule.get("name") == Some(attribute)) else {
            return Some(format!("<{name} {attribute}=...> is not declared"));
        };
        let good = match rule.get("type").unwrap() {
            "xs:string" => true,
            "xs:nonNegativeInteger" => value.parse::<u64>().is_ok(),
            "xs:decimal" => !value.contains(['e', 'E', 'n', 'N']) && value.parse::<f64>().is_ok(),
            "xs:dateTime" => value.contains('T'),
            other => panic!("the checker does not know {other}"),
        };
        if !good {
            return Some(format!("<{name} {attribute}=\"{value}\">"));
        }
    }
    let needed = attributes().filter(|rule| rule.get("use") == Some("required")).map(|rule| rule.get("name").unwrap());
    if let Some(missing) = needed.into_iter().find(|needed| element.get(needed).is_none()) {
        return Some(format!("<{name}> has no {missing}"));
    }
    if element.has_text && extension.is_none() {
        return Some(format!("<{name}> has text"));
    }
    let mut children = element.children.iter().peekable();
    for part in content.child("xs:sequence").map_or(&[][..], |sequence| &sequence.children) {
        let mut count = 0;
        while let Some(child) = children.next_if(|child| Some(child.name.as_str()) == part.get("ref")) {
            count += 1;
            if let Some(wrong) = against_xsd(schema, child) {
                return Some(wrong);
            }
        }
        let least: usize = part.get("minOccurs").unwrap_or("1").parse().unwrap();
        let most = part.get("maxOccurs").unwrap_or("1").parse().unwrap_or(usize::MAX);
        if count < least || count > most {
            return Some(format!("<{name}> has {count} of <{}>", part.get("ref").unwrap()));
        }
    }
    children.next().map(|child| format!("<{}> has no place in <{name}>", child.name))
}
