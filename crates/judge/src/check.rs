//! `judge check`, which checks one move, and `judge show`, which shows one position.

use anygame::AnyGame;
use anygame::game::{Answer, Checked};
use anygame::{AnyPosition, AnyTask};
use anyhow::{Context, Result, anyhow};
use arena::analysis::ThreadTime;
use arena::analysis::finding::Effort;
use arena::plain::shown;
use clap::Args;
use engine::protocol::seconds;
use engine::score::describe;
use files::read_input;
use homework::{Case, Homework};
use intake::environment::Environment;
use intake::preflight::format_doubts;
use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use terminal::games::{GameAndRules, rules_line};
use terminal::output::{print, write_file};
use terminal::standings::aligned;

/// Reads an input file as a task, as an agent would.
pub(crate) fn read_task(game: &AnyGame, file: &Path, rules: Option<&str>) -> Result<AnyTask> {
    game.rules
        .read_task(&text_of(file)?, rules)?
        .map_err(|error| anyhow!("{}:{error}", file.display()))
}

fn text_of(file: &Path) -> Result<String> {
    read_input(file).with_context(|| format!("{}: cannot be read", file.display()))
}

#[derive(Args)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub game: GameAndRules,
    /// The input file: the position; of a homework the case, or its input file
    pub input: PathBuf,
    /// The output file: the move; of a homework that has several, the folder with them
    pub output: PathBuf,
}

/// Checks what a program has left for a case of a homework, and returns whether it is right.
pub(crate) fn check_homework(homework: &Homework, options: &CheckOptions) -> Result<bool> {
    let is_same = |path: &Path| {
        fs::canonicalize(path)
            .is_ok_and(|path| fs::canonicalize(&options.input).is_ok_and(|input| path == input))
    };
    let is_it = |case: &&Case| {
        options.input.as_os_str() == case.name.as_str()
            || case.finds.first().is_some_and(|(_, file)| is_same(&file.path))
    };
    let case = homework.cases.iter().find(is_it).with_context(|| {
        let (first, shown) = (&homework.cases[0], options.input.display());
        format!("{shown}: expected a case or its input file, such as {}", first.name)
    })?;
    Environment::of(None, Some(homework))?;
    let file = |name: &String| -> Result<(String, Vec<u8>)> {
        let is_folder = options.output.is_dir();
        let path = if is_folder { options.output.join(name) } else { options.output.clone() };
        let within = || format!("{}: cannot be read", path.display());
        let (file, mut bytes) = (fs::File::open(&path).with_context(within)?, Vec::new());
        let most = homework.output_limit + 1;
        file.take(most).read_to_end(&mut bytes).with_context(within)?;
        Ok((name.clone(), bytes))
    };
    let left = homework.leaves.iter().map(file).collect::<Result<_>>()?;
    let result = homework.judge_files(case, &left)?;
    let points = |score: f64| format!("{:.0} % of the points", 100.0 * score);
    let how = match &result.wrong {
        Some(wrong) if result.score > 0.0 => format!("wrong, {}: {wrong}", points(result.score)),
        Some(wrong) => format!("wrong: {wrong}"),
        None if result.score < 1.0 => format!("right, {} {}", points(result.score), result.remark),
        None => format!("right {}", result.remark),
    };
    print(&format!("case {}: {}\n", case.name, how.trim_end()));
    if let Some((line, column)) = &result.marked {
        print(&format!("  {}\n  {}^\n", shown(line), " ".repeat(*column)));
    }
    if !result.for_teacher.is_empty() {
        print(&format!("  for the teacher: {}\n", shown(&result.for_teacher)));
    }
    Ok(result.wrong.is_none())
}

/// Checks an output file against its input file, and prints the rule set.
pub(crate) fn check(options: &CheckOptions) -> Result<Checked> {
    let CheckOptions { game, input, output } = options;
    let (game, rules) = game.find()?;
    // A bad input is reported before an output that cannot be read.
    let task = read_task(game, input, Some(rules))?;
    let answer = Answer {
        input: &text_of(input)?,
        output: &text_of(output)?,
        file: &output.display().to_string(),
    };
    let mut checked = game
        .rules
        .check(&answer, Some(rules))?
        .map_err(|error| anyhow!("{}:{error}", input.display()))?;
    print(&rules_line(game, rules));
    // Rules that are a program read files as the course's own referee does.
    if checked.legal.is_some() && !game.is_own() {
        let legal: Vec<String> =
            task.position.legal_moves().into_iter().map(|mv| mv.output).collect();
        for doubt in format_doubts(answer.output, &legal) {
            writeln!(checked.text, "note: a strict grader may refuse the file: {doubt}")?;
        }
    }
    Ok(checked)
}

#[derive(Args)]
pub(crate) struct ShowOptions {
    #[command(flatten)]
    pub game: GameAndRules,
    /// The input file: the position; of a homework the case, or its input file
    pub input: PathBuf,
    /// Print the score of every legal move, the best first, and the terms of the evaluation if the
    /// game has them
    #[arg(long)]
    pub scores: bool,
    /// The number of nodes, which determines the depth to which every move is searched
    #[arg(long, value_name = "COUNT", requires = "scores", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Draw the board into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Returns the position as text with the list of its legal moves, and draws it into the file that
/// was asked for.
pub(crate) fn show(options: &ShowOptions) -> Result<String> {
    let (game, rules) = options.game.find()?;
    let task = read_task(game, &options.input, Some(rules))?;
    let position = &*task.position;
    if let Some(to) = &options.svg {
        let drawing = position
            .drawing()
            .with_context(|| format!("{}: this game has no drawing", game.name))?;
        let svg = boards::picture(&drawing, &game.sides, None);
        write_file(to, &svg)?;
    }
    let mut text = rules_line(game, rules) + &position.picture();
    text.push_str(&position.standing());
    if game.tells_clock()? {
        writeln!(text, "clock: {} s ({})", seconds(task.clock), task.control.word())?;
    }
    if options.scores {
        return Ok(text + &scores(game, position, Effort::Nodes(options.nodes))?);
    }
    let moves = position.legal_moves();
    writeln!(text, "{} legal moves:", moves.len())?;
    for mv in moves {
        writeln!(text, "  {}", mv.described)?;
    }
    Ok(text)
}

/// Returns every legal move with its score and winning chances, the best first, and the terms of
/// the evaluation.
fn scores(game: &AnyGame, position: &dyn AnyPosition, effort: Effort) -> Result<String> {
    if position.outcome().is_some() {
        return Ok(String::new());
    }
    let (choices, depth) = position.rate_moves(effort, &ThreadTime)?;
    let mut rows = vec![["", "Move", "Score", "Chances", ""].map(String::from).to_vec()];
    for (choice, rank) in choices.iter().zip(1..) {
        let score = choice.score.map_or("-".to_string(), describe);
        let chances = format!("{:.0} %", 50.0 * (choice.chance + 1.0));
        let truth = choice.truth.map_or(String::new(), |truth| format!("proven {}", truth.word()));
        let described = position.move_of(choice.mv).map_or(String::new(), |mv| mv.described);
        rows.push(vec![format!("{rank}."), described, score, chances, truth]);
    }
    let mut text = format!(
        "{} legal moves, searched {depth} plies deep:\n{}",
        choices.len(),
        aligned(&rows, &[1, 4])
    );
    // The parts are those of the actual position. The search of some games evaluates a modified
    // one.
    let parts = position.evaluation_parts();
    if !parts.is_empty() {
        let sum: i32 = parts.iter().map(|(_, points)| points).sum();
        let mut rows: Vec<Vec<String>> = parts
            .iter()
            .map(|(what, points)| vec![what.to_string(), format!("{points:+}")])
            .collect();
        rows.push(vec!["sum".to_string(), format!("{sum:+}")]);
        let side = game.side_word(position.side_to_move());
        text += &format!("The static evaluation of the position, in points for {side}:\n");
        text += &aligned(&rows, &[0]);
    }
    Ok(text)
}
