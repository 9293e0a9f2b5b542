//! A second implementation of Squirrels, slow and simple, written from the rules page alone: rules,
//! homework files, competition output. It shares no code with the crate.

use std::collections::BTreeMap;

pub(crate) type Cells = Vec<Vec<char>>;

#[derive(Clone, Debug)]
pub(crate) struct SlowBoard {
    pub values: Vec<Vec<i32>>,
    pub cells: Cells,
}

fn enemy(player: char) -> char {
    if player == 'X' { 'O' } else { 'X' }
}

fn square_name(row: usize, column: usize) -> String {
    format!("{}{}", ["A", "B", "C", "D", "E"][column], row + 1)
}

impl SlowBoard {
    /// Reads the ten lines of values and symbols.
    pub(crate) fn read(lines: &[&str]) -> SlowBoard {
        let (values, cells) = lines[..10].split_at(5);
        let values =
            values.iter().map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect());
        let cells = cells.iter().map(|line| line.replace('.', "*").chars().collect());
        SlowBoard { values: values.collect(), cells: cells.collect() }
    }

    fn beside(row: usize, column: usize) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for (down, right) in [(-1_i32, 0_i32), (1, 0), (0, -1), (0, 1)] {
            let (r, c) = (row as i32 + down, column as i32 + right);
            if (0..5).contains(&r) && (0..5).contains(&c) {
                all.push((r as usize, c as usize));
            }
        }
        all
    }

    pub(crate) fn is_raid(&self, row: usize, column: usize, player: char) -> bool {
        Self::beside(row, column).iter().any(|&(r, c)| self.cells[r][c] == player)
    }

    pub(crate) fn after(&self, row: usize, column: usize, player: char) -> SlowBoard {
        let mut next = self.clone();
        next.cells[row][column] = player;
        if self.is_raid(row, column, player) {
            for (r, c) in Self::beside(row, column) {
                if next.cells[r][c] == enemy(player) {
                    next.cells[r][c] = player;
                }
            }
        }
        next
    }

    pub(crate) fn empty(&self) -> Vec<(usize, usize)> {
        let all = (0..5).flat_map(|row| (0..5).map(move |column| (row, column)));
        all.filter(|&(row, column)| self.cells[row][column] == '*').collect()
    }

    /// The player's sum minus the other's.
    pub(crate) fn difference(&self, player: char) -> i32 {
        let mut sum = 0;
        for row in 0..5 {
            for column in 0..5 {
                let cell = self.cells[row][column];
                sum += self.values[row][column]
                    * (i32::from(cell == player) - i32::from(cell == enemy(player)));
            }
        }
        sum
    }

    pub(crate) fn lines(&self) -> String {
        self.cells.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    pub(crate) fn perft(&self, player: char, depth: u32) -> u64 {
        let empty = self.empty();
        if depth == 1 {
            return empty.len() as u64;
        }
        empty
            .into_iter()
            .map(|(row, column)| self.after(row, column, player).perft(enemy(player), depth - 1))
            .sum()
    }

    /// The value for the player to move, by plain minimax to the end.
    pub(crate) fn value(&self, player: char) -> i32 {
        let empty = self.empty();
        let values = empty
            .iter()
            .map(|&(row, column)| -self.after(row, column, player).value(enemy(player)));
        values.max().unwrap_or_else(|| self.difference(player))
    }
}

fn shown(value: f64) -> String {
    match value {
        f64::INFINITY => "Infinity".to_string(),
        f64::NEG_INFINITY => "-Infinity".to_string(),
        value => format!("{}", value as i32),
    }
}

struct Search {
    root: char,
    alpha_beta: bool,
    log: String,
}

impl Search {
    fn write(&mut self, node: &str, depth: u32, value: f64, alpha: f64, beta: f64) {
        let window = if self.alpha_beta {
            format!(",{},{}", shown(alpha), shown(beta))
        } else {
            String::new()
        };
        self.log += &format!("{node},{depth},{}{window}\n", shown(value));
    }

    /// The value and the best square.
    #[allow(clippy::too_many_arguments)]
    fn search(
        &mut self,
        board: &SlowBoard,
        player: char,
        node: &str,
        depth: u32,
        limit: u32,
        mut alpha: f64,
        mut beta: f64,
    ) -> (f64, Option<(usize, usize)>) {
        let squares = board.empty();
        if depth == limit || squares.is_empty() {
            let value = f64::from(board.difference(self.root));
            self.write(node, depth, value, alpha, beta);
            return (value, None);
        }
        let maximum = player == self.root;
        let mut value = if maximum { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut best = None;
        self.write(node, depth, value, alpha, beta);
        for (row, column) in squares {
            let next = board.after(row, column, player);
            let name = square_name(row, column);
            let (child, _) =
                self.search(&next, enemy(player), &name, depth + 1, limit, alpha, beta);
            if (maximum && child > value) || (!maximum && child < value) {
                value = child;
                best = Some((row, column));
            }
            if self.alpha_beta {
                if (maximum && value >= beta) || (!maximum && value <= alpha) {
                    self.write(node, depth, value, alpha, beta);
                    return (value, best);
                }
                if maximum {
                    alpha = alpha.max(value);
                } else {
                    beta = beta.min(value);
                }
            }
            self.write(node, depth, value, alpha, beta);
        }
        (value, best)
    }
}

/// The best square by an algorithm (1 greedy, 2 minimax, 3 alpha-beta), and the log's lines below
/// the header.
fn choose(
    board: &SlowBoard,
    player: char,
    algorithm: u32,
    depth: u32,
) -> (Option<(usize, usize)>, String) {
    let mut search = Search { root: player, alpha_beta: algorithm == 3, log: String::new() };
    let limit = if algorithm == 1 { 1 } else { depth };
    let (_, best) =
        search.search(board, player, "root", 0, limit, f64::NEG_INFINITY, f64::INFINITY);
    (best, search.log)
}

/// All files that a homework input should leave, by name.
pub(crate) fn homework(input: &str) -> BTreeMap<&'static str, String> {
    let lines: Vec<&str> = input.lines().map(|line| line.trim_end()).collect();
    let number = |line: usize| -> u32 { lines[line].parse().unwrap() };
    let player = |line: usize| -> char { lines[line].chars().next().unwrap() };
    let mut files = BTreeMap::new();
    let task = number(0);
    if task < 4 {
        let board = SlowBoard::read(&lines[3..13]);
        let (best, log) = choose(&board, player(1), task, number(2));
        let next = best.map_or(board.clone(), |(row, column)| board.after(row, column, player(1)));
        files.insert("next_state.txt", next.lines());
        match task {
            2 => files.insert("traverse_log.txt", "Node,Depth,Value\n".to_string() + &log),
            3 => {
                files.insert("traverse_log.txt", "Node,Depth,Value,Alpha,Beta\n".to_string() + &log)
            }
            _ => None,
        };
        return files;
    }
    let mut board = SlowBoard::read(&lines[7..17]);
    let mut trace = String::new();
    let players = [(player(1), number(2), number(3)), (player(4), number(5), number(6))];
    for turn in 0.. {
        let (who, algorithm, depth) = players[turn % 2];
        let (Some((row, column)), _) = choose(&board, who, algorithm, depth) else { break };
        board = board.after(row, column, who);
        trace += &board.lines();
    }
    files.insert("trace_state.txt", trace);
    files
}

/// The competition's output for a move to a square.
pub(crate) fn output(board: &SlowBoard, player: char, row: usize, column: usize) -> String {
    let kind = if board.is_raid(row, column, player) { "Raid" } else { "Sneak" };
    format!("{} {kind}\n{}", square_name(row, column), board.after(row, column, player).lines())
}

/// The best squares by plain minimax to the end, and their value.
pub(crate) fn best_squares(board: &SlowBoard, player: char) -> (Vec<(usize, usize)>, i32) {
    let value =
        |&(row, column): &(usize, usize)| -board.after(row, column, player).value(enemy(player));
    let best = board.empty().iter().map(value).max().unwrap();
    (board.empty().into_iter().filter(|square| value(square) == best).collect(), best)
}

/// The competition's output for an input with exactly one best move, found by plain minimax to the
/// end.
pub(crate) fn competition(input: &str) -> String {
    let lines: Vec<&str> = input.lines().map(|line| line.trim_end()).collect();
    let player = lines[1].chars().next().unwrap();
    let board = SlowBoard::read(&lines[3..13]);
    let (plays, _) = best_squares(&board, player);
    assert_eq!(plays.len(), 1, "a case for comparison has one best play:\n{input}");
    output(&board, player, plays[0].0, plays[0].1)
}
