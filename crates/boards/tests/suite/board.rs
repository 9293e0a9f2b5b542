use boards::{aim, cells, figure, ground, marks, mentioned, picture, view_box, way};
use engine::Side;
use engine::drawing::{Drawing, Figure};
use std::collections::BTreeSet;

fn board() -> Drawing {
    let mut drawing = Drawing::new(3, 2);
    drawing.figures = [Figure::Fox, Figure::Goose];
    drawing.cell((0, 0)).piece = Some((Side::First, ' '));
    drawing.cell((2, 1)).piece = Some((Side::Second, '<'));
    drawing.cell((2, 1)).text = "1&2".to_string();
    drawing.cell((1, 0)).zone = Some(Side::First);
    drawing.cell((1, 1)).missing = true;
    drawing.columns = ["A", "B", "<C>"].map(String::from).to_vec();
    drawing.path = vec![(0, 0), (2, 0), (2, 1)];
    drawing.changed = vec![(1, 0)];
    drawing
}

#[test]
fn a_picture_has_everything_once_and_stands_by_itself() {
    let drawing = board();
    let svg = picture(&drawing, &["<FOX>", "GEESE"], Some(300));
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    let count = |text: &str| svg.matches(text).count();
    for (text, times) in [
        ("width=\"300\" height=\"221\"", 1),
        ("<title>&lt;FOX&gt; and GEESE</title>", 1),
        ("class='piece'", 2),
        ("<symbol id='fox'", 1),
        ("<g class='way'>", 1),
        (">&lt;C&gt;</text>", 1),
        (">1&amp;2</text>", 1),
        (">&lt;</text>", 1),
        ("url(", 0),
        ("<script", 0),
    ] {
        assert_eq!(count(text), times, "{text}");
    }
    for tag in ["g", "svg", "symbol", "defs", "style", "text"] {
        let opened = count(&format!("<{tag} ")) + count(&format!("<{tag}>"));
        assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
    }
}

#[test]
fn the_parts_of_a_page_s_board_are_those_of_the_picture() {
    let drawing = board();
    let svg = picture(&drawing, &["", ""], None);
    for part in [ground(&drawing), marks(&drawing), cells(&drawing).concat(), way(&drawing.path)] {
        assert!(!part.is_empty() && svg.contains(&part), "{part}");
    }
    assert_eq!(view_box(&drawing), "-40 -40 380 280");
    let cells = cells(&drawing);
    assert_eq!(cells.iter().filter(|cell| !cell.is_empty()).count(), 2);
    assert!(cells[5].contains("data-at='2,1'") && cells[4].is_empty());
}

const FIGURES: [Figure; 6] =
    [Figure::Stone, Figure::Fox, Figure::Wolf, Figure::Sheep, Figure::Goose, Figure::Squirrel];

#[test]
fn sides_differ_in_shape_and_every_figure_has_a_name_of_its_own() {
    for figure in [Figure::Stone, Figure::Squirrel] {
        assert_ne!(boards::figure(figure, Side::First).1, boards::figure(figure, Side::Second).1);
    }
    let names = FIGURES.map(|figure| boards::figure(figure, Side::First).0);
    assert_eq!(BTreeSet::from(names).len(), FIGURES.len());
}

/// The relative luminance of a colour `#rgb` or `#rrggbb`, as WCAG 2 defines it.
fn luminance(colour: &str) -> f64 {
    let digits = if colour.len() == 4 {
        colour[1..].chars().flat_map(|digit| [digit, digit]).collect()
    } else {
        colour[1..].to_string()
    };
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
}

#[test]
fn every_piece_can_be_seen_on_the_light_and_on_the_dark_page() {
    let contrast = |one: f64, other: f64| (one.max(other) + 0.05) / (one.min(other) + 0.05);
    for (name, markup) in
        FIGURES.into_iter().flat_map(|kind| Side::BOTH.map(|side| figure(kind, side)))
    {
        let colours = markup.split('\'').filter(|part| part.starts_with('#')).map(luminance);
        for page in ["#ffffff", "#22252a"].map(luminance) {
            let best = colours.clone().map(|colour| contrast(colour, page)).fold(0.0, f64::max);
            assert!(best >= 3.0, "{name}: contrast {best:.1}");
        }
    }
}

#[test]
fn an_arrow_ends_at_the_rim_of_the_last_piece_or_well_inside_an_empty_cell() {
    assert_eq!(way(&[]), "");
    assert!(way(&[(1, 1)]).starts_with("<circle class='ring' cx='150' cy='150'"));
    let arrow = way(&[(0, 0), (2, 0)]);
    assert!(arrow.contains("d='M50 50L196 50'") && arrow.contains("M220 50L"), "{arrow}");
    // An arrow to a neighbouring empty cell ends well inside that cell.
    let arrow = aim(&[(0, 0), (1, 0)]);
    assert!(arrow.contains("d='M50 50L122 50'") && arrow.contains("M146 50L"), "{arrow}");
}

#[test]
fn places_of_a_refused_text_are_found() {
    let mut drawing = board();
    assert_eq!(mentioned("E 0,0 2,1\n", &drawing), [(0, 0), (2, 1)]);
    assert_eq!(mentioned("\u{e9}0,0 9,9", &drawing), [(0, 0)]);
    assert_eq!(mentioned("B2 raid", &drawing), [(1, 1)]);
    assert_eq!(mentioned("<", &drawing), [(2, 1)]);
    drawing.columns.clear();
    assert!(mentioned("", &drawing).is_empty() && mentioned("B2", &drawing).is_empty());
}
