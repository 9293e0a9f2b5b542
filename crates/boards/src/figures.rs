//! The pieces, each drawn in a square of 100 by 100. Sides differ in shape, not in colour alone.

use engine::Side;
use engine::drawing::Figure;

/// The name and the markup of a side's piece, for a `symbol` of that name.
pub fn figure(figure: Figure, side: Side) -> (&'static str, &'static str) {
    match (figure, side) {
        (Figure::DarkStone, _) | (Figure::Stone, Side::First) => ("dark-stone", DARK_STONE),
        (Figure::LightStone, _) | (Figure::Stone, Side::Second) => ("light-stone", LIGHT_STONE),
        (Figure::Fox, _) => ("fox", FOX),
        (Figure::Wolf, _) => ("wolf", WOLF),
        (Figure::Sheep, _) => ("sheep", SHEEP),
        (Figure::Goose, _) => ("goose", GOOSE),
        (Figure::Squirrel, Side::First) => ("red-squirrel", RED_SQUIRREL),
        (Figure::Squirrel, Side::Second) => ("grey-squirrel", GREY_SQUIRREL),
    }
}

const DARK_STONE: &str = "<circle cx='50' cy='53' r='38' fill='#000' opacity='.25'/>\
<circle cx='50' cy='50' r='37' fill='#2b3140' stroke='#0b0d12' stroke-width='4'/>\
<circle cx='50' cy='50' r='23' fill='none' stroke='#8f9bb0' stroke-width='5'/>";

const LIGHT_STONE: &str = "<path d='M50 13 84 33V73L50 93 16 73V33Z' fill='#000' opacity='.25'/>\
<path d='M50 10 84 30V70L50 90 16 70V30Z' fill='#fffaf0' stroke='#6d5836' stroke-width='5' stroke-linejoin='round'/>\
<circle cx='50' cy='50' r='11' fill='#c79a4b'/>";

const FOX: &str = "<path d='M14 10 37 29Q50 24 63 29L86 10Q90 38 83 54 74 78 50 92 26 78 17 54 10 38 14 10Z' fill='#dc6526' \
stroke='#5a230e' stroke-width='4' stroke-linejoin='round'/>\
<path d='M18 52Q36 48 46 66L50 90Q26 76 18 52ZM82 52Q64 48 54 66L50 90Q74 76 82 52Z' fill='#fff3e2'/>\
<path d='M21 21 33 32 23 41ZM79 21 67 32 77 41Z' fill='#5a230e'/>\
<circle cx='36' cy='50' r='5' fill='#23120a'/><circle cx='64' cy='50' r='5' fill='#23120a'/>\
<ellipse cx='50' cy='84' rx='8' ry='6' fill='#23120a'/>";

const WOLF: &str = "<path d='M24 6 39 27Q50 23 61 27L76 6Q84 28 80 44L93 58 79 62 80 72 66 76Q58 94 50 94 42 94 34 76L20 72 21 62 7 58 \
20 44Q16 28 24 6Z' fill='#77828f' stroke='#252b33' stroke-width='4' stroke-linejoin='round'/>\
<path d='M50 38 62 62Q62 86 50 92 38 86 38 62Z' fill='#eceff2'/>\
<path d='M28 16 36 29 26 36ZM72 16 64 29 74 36Z' fill='#252b33'/>\
<path d='M28 46 42 52 32 56ZM72 46 58 52 68 56Z' fill='#ffd44d' stroke='#252b33' stroke-width='3' stroke-linejoin='round'/>\
<path d='M41 78H59L50 90Z' fill='#15191e'/>";

const SHEEP: &str = "<path d='M29 30Q31 12 47 17 58 6 69 18 86 18 84 35 97 43 88 56 93 74 76 76 68 90 52 83 35 91 29 76 11 76 15 58 4 46 \
17 37 15 27 29 30Z' fill='#fffdf6' stroke='#5f584a' stroke-width='4' stroke-linejoin='round'/>\
<ellipse cx='27' cy='48' rx='11' ry='6' transform='rotate(-18 27 48)' fill='#37322d'/>\
<ellipse cx='73' cy='48' rx='11' ry='6' transform='rotate(18 73 48)' fill='#37322d'/>\
<path d='M34 44Q50 34 66 44 68 68 50 78 32 68 34 44Z' fill='#37322d'/>\
<circle cx='43' cy='52' r='5' fill='#fff'/><circle cx='57' cy='52' r='5' fill='#fff'/>\
<circle cx='43' cy='53' r='2' fill='#000'/><circle cx='57' cy='53' r='2' fill='#000'/>\
<path d='M45 69Q50 73 55 69' fill='none' stroke='#e7d9c6' stroke-width='3' stroke-linecap='round'/>";

const GOOSE: &str = "<path d='M42 80V93H34M56 80V93H48' fill='none' stroke='#d9771c' stroke-width='5' stroke-linecap='round' stroke-linejoin='round'/>\
<path d='M14 58Q8 52 10 45 28 53 43 47 50 42 49 30 49 9 66 9 79 9 80 23 77 35 72 40 69 46 73 58 72 84 48 84 24 84 14 58Z' \
fill='#fffefb' stroke='#4d4a45' stroke-width='4' stroke-linejoin='round'/>\
<path d='M80 17 96 26 78 32Z' fill='#ec8b22' stroke='#8a4a0c' stroke-width='3' stroke-linejoin='round'/>\
<circle cx='67' cy='21' r='4' fill='#1d1b18'/>\
<path d='M24 60Q42 55 58 60 55 76 38 74 28 71 24 60Z' fill='#d8dadb' stroke='#8b8983' stroke-width='2'/>";

const RED_SQUIRREL: &str = "<rect x='9' y='9' width='82' height='82' rx='14' fill='#fbe9d7' stroke='#7d2b10' stroke-width='5'/>\
<path d='M58 80Q88 80 82 52 80 42 72 43 82 26 68 19 52 14 52 30 54 40 62 44 70 54 58 64Z' fill='#c04a1d' stroke='#5c1f0a' stroke-width='3' \
stroke-linejoin='round'/>\
<path d='M30 82H62Q66 58 49 50 48 38 42 36L40 24 34 33Q20 35 16 47 20 53 30 53 27 61 24 64L31 68Q27 76 30 82Z' fill='#d9622b' \
stroke='#5c1f0a' stroke-width='3' stroke-linejoin='round'/>\
<path d='M36 56Q32 68 37 80H48Q44 66 45 56Z' fill='#fdeedd'/><circle cx='29' cy='43' r='4' fill='#1d0f08'/>";

const GREY_SQUIRREL: &str = "<circle cx='50' cy='50' r='43' fill='#e9f0f6' stroke='#1f3a57' stroke-width='5'/>\
<g transform='translate(100 0) scale(-1 1)'>\
<path d='M58 80Q88 80 82 52 80 42 72 43 82 26 68 19 52 14 52 30 54 40 62 44 70 54 58 64Z' fill='#4f6a84' stroke='#172a3d' stroke-width='3' \
stroke-linejoin='round'/>\
<path d='M30 82H62Q66 58 49 50 48 38 42 36L40 24 34 33Q20 35 16 47 20 53 30 53 27 61 24 64L31 68Q27 76 30 82Z' fill='#6f8ba6' \
stroke='#172a3d' stroke-width='3' stroke-linejoin='round'/>\
<path d='M36 56Q32 68 37 80H48Q44 66 45 56Z' fill='#f4f8fb'/><circle cx='29' cy='43' r='4' fill='#0b131b'/></g>";
