use std::fs;
fn camp(x: i32, y: i32) -> bool {
    (0..5).contains(&y) && x < [5, 5, 4, 3, 2][y as usize]
}
fn walk(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let (side, rows) = (lines[1], &lines[3..19]);
    let black = side == "BLACK";
    let step = if black { 1 } else { -1 };
    let goal = |x: i32, y: i32| if black { camp(15 - x, 15 - y) } else { camp(x, y) };
    let at = |x: i32, y: i32| if (0..16).contains(&x) && (0..16).contains(&y) { rows[y as usize].as_bytes()[x as usize] } else { b'#' };
    for pass in 0..2 {
        for i in 0..256 {
            let (x, y) = if black { (15 - i % 16, 15 - i / 16) } else { (i % 16, i / 16) };
            for k in 0..9 {
                let (dx, dy) = ((1 - k % 3) * step, (1 - k / 3) * step);
                let (tx, ty) = (x + dx, y + dy);
                let backward = dx * step < 0 || dy * step < 0;
                if at(x, y) != side.as_bytes()[0] || at(tx, ty) != b'.' || pass == 0 && backward || goal(x, y) && !goal(tx, ty) {
                    continue;
                }
                return Some(format!("E {x},{y} {tx},{ty}\n"));
            }
        }
    }
    None
}
fn main() {
    let text = fs::read_to_string("input.txt").unwrap();
    fs::write("output.txt", walk(&text).unwrap_or_default()).unwrap();
}
