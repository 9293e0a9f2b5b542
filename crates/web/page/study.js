// The analysis of the current game, computed move by move by a worker of its own.
import { Stopped } from "./desk.js";
import { draw, whenDrawn } from "./draw.js";
import { goTo } from "./flow.js";
import { spoken } from "./names.js";
import { desk, state, student } from "./state.js";

const MARKS = Object.keys(PLOT_MARKS);
// The token of the running analysis. Replacing it, also by null, ends the run.
let run = null;
// The message about the end of the last run.
let words = "";

const effort = () => Number(byId("effort").value);
const known = one => one.study && (one.study.nodes === effort() || one.study.recorded);

// Analyses all moves of the current line that have no analysis yet. Called during a run, ends it.
export async function analyse() {
  if (run) { end("stopped"); return; }
  const token = run = {}, { tree } = state, nodes = effort();
  words = "";
  show();
  try {
    employ();
    const missing = await student.know();
    if (missing && run === token) words = `without the stored data of this game: ${missing}`;
    for (const one of tree.line().slice(1)) {
      if (run !== token) return;
      if (known(one)) continue;
      await visible();
      if (run !== token) return;
      const study = await analyseMove(token, tree, one, nodes);
      if (!study) return;
      one.study = { ...study, nodes };
      draw();
    }
    if (run === token) end(words);
  } catch (error) {
    if (run === token) end(error instanceof Stopped ? "stopped" : `Error: ${error.message}`);
  }
}

// Analyses one move; repeated if the page was hidden meanwhile, which stops the worker.
async function analyseMove(token, tree, one, nodes) {
  for (;;) {
    try {
      const study = await student.ask("analyse", [one.parent.input, tree.rules, one.output, nodes]);
      return run === token ? study : null;
    } catch (error) {
      if (run !== token) return null;
      if (!(error instanceof Stopped) || !document.hidden) throw error;
      await visible();
      await student.know();
    }
  }
}
// Has the student load the game that is shown, when it is first needed.
function employ() { if (student.game !== state.info.name) student.open(state.info.name, desk.compiled); }
const visible = () => document.hidden ? new Promise(done => document.addEventListener("visibilitychange", () => done(visible()), { once: true })) : Promise.resolve();

function end(why) {
  run = null;
  words = why;
  student.stop();
  show();
}
// Ends a run because another game is shown.
export function forget() { if (run) end(""); words = ""; }
document.addEventListener("visibilitychange", () => { if (document.hidden && run) student.stop(); });

// Takes over the analysis that a record holds.
export async function explained(moves) {
  const { tree } = state, line = tree.line().slice(1);
  if (moves.some(move => move.analysis)) employ();
  for (const [at, one] of line.entries()) {
    const analysis = moves[at]?.analysis;
    if (!analysis) continue;
    try { one.study = { ...await student.ask("explain", [one.parent.input, tree.rules, one.output, analysis]), recorded: true }; } catch { /* A move whose findings cannot be parsed can be analysed anew. */ }
    if (state.tree !== tree) return;
  }
  draw();
}

const moveAt = at => {
  const one = state.tree.line()[at];
  return one.parent ? `${at}. ${state.info.sides[one.side]} ${one.text}` : "start";
};

function show() {
  const { info, tree } = state, line = tree.line(), done = line.filter(one => one.study).length, all = line.length - 1;
  byId("study-button").textContent = run ? "stop" : done && done < all ? "analyse the rest" : "analyse the game";
  byId("studied").textContent = run ? `${done} of ${all} moves` : words || (done ? `${done} of ${all} moves analysed` : "");
  byId("plot").hidden = !done;
  if (done) {
    const told = line.map((one, at) => ({ side: one.side, analysis: one.study, ...figures(one, at) }));
    drawPlot(byId("plot"), { positions: told, first: 0, winBound: info.winBound, spoken: moveAt }, at => goTo(line[at]));
    plotCursor(byId("plot"), line, tree.at.ply);
  }
  byId("accuracy").replaceChildren(...(done ? [0, 1].map(side => sentence(side, line)) : []));
  const { lesson } = state;
  byId("learn-button").hidden = !lesson && !mistakes().length;
  byId("learn-button").textContent = lesson ? "end the lesson" : "learn from your mistakes";
  byId("lesson").hidden = !lesson;
  byId("lesson").textContent = lesson?.words ?? "";
  if (document.activeElement !== byId("comment")) byId("comment").value = tree.at.note ?? "";
  byId("comment-label").hidden = !tree.at.parent;
  tell(tree.at);
}

// The names of both players: those of the open record, if there is one.
const names = () => state.record?.players ?? state.players;
// The marked moves of the person; of both sides if no person has played.
function mistakes() {
  const own = names().map(name => name === "you");
  return state.tree.line().filter(one => one.study?.mark && (own[one.side] || !own.includes(true)));
}

// Goes through the person's mistakes: each is played again until the move is none. The players stay who they were.
export function learn() {
  if (state.lesson) { state.lesson = null; draw(); return; }
  state.lesson = { left: mistakes(), words: "" };
  nextMistake("");
}
function nextMistake(before) {
  const { lesson } = state, one = lesson.left.shift();
  if (!one) { state.lesson = null; draw(); byId("lesson").hidden = false; byId("lesson").textContent = `${before}No mistake is left.`; return; }
  const who = names()[one.side] === "you" ? "you" : state.info.sides[one.side];
  Object.assign(lesson, { one, words: `${before}Move ${one.ply}: ${who} played ${one.text} ${PLOT_MARKS[one.study.mark]}. Find a better move.` });
  goTo(one.parent);
}
// A move tried in a lesson.
export async function tried(move) {
  const { lesson, tree } = state, { one } = lesson;
  lesson.words = `${move.text}: let me see.`;
  show();
  employ();
  try {
    const study = await student.ask("analyse", [one.parent.input, tree.rules, move.output, one.study.nodes ?? effort()]);
    if (state.lesson !== lesson || state.tree !== tree) return;
    if (study.mark) { lesson.words = `${move.text} ${PLOT_MARKS[study.mark]} is not it either: ${spoken(state.info, study.cost)}. Try another move.`; draw(); return; }
    nextMistake(`${move.text} is good. `);
  } catch (error) { lesson.words = `Error: ${error.message}`; show(); }
}

// The score, clock and CPU time of a move from a record, for the plot.
function figures(one, at) {
  const move = state.record?.moves[at - 1];
  if (!move || move.output !== one.output) return {};
  const { score, left, cpu } = move;
  return { score: score === null ? null : one.side === 0 ? score : -score, left, cpu };
}

function sentence(side, line) {
  const own = line.filter(one => one.study && one.side === side);
  const marks = MARKS.map(mark => `${own.filter(one => one.study.mark === mark).length} ${PLOT_MARKS[mark]}`).join(" ");
  // Accuracy counts winning chances. A move that gives away points of a game that stays won costs none, and is marked all the same.
  const points = own.reduce((sum, one) => sum + (one.study.pointsLost ?? 0), 0), isPerfect = !own.some(one => one.study.mark);
  const row = html("div", "", null, `${state.info.sides[side]}: ${marks}`), tell = kept => { row.textContent = `${state.info.sides[side]}: ${kept}, ${marks}`; };
  if (points) tell(`${points} ${points === 1 ? "point" : "points"} given away`);
  else student.ask("accuracy", [own.flatMap(one => one.study.value ?? [])]).then(value => {
    const figure = value === null ? "no figure" : `${Math.min(isPerfect ? 100 : 99, Math.round(value))} %`;
    tell(`accuracy ${figure}`);
  }, () => {});
  row.title = "inaccuracies ?!, mistakes ?, blunders ??";
  return row;
}

// Shows the finding on the move that led to the current position.
function tell({ study }) {
  const place = byId("found");
  place.replaceChildren();
  // In a lesson the finding on the opponent's move before would name the move that is looked for.
  place.hidden = !study?.mark || state.lesson !== null;
  if (place.hidden) return;
  html("b", study.mark, place, `${PLOT_MARKS[study.mark]} `);
  place.append(spoken(state.info, study.cost));
  if (!study.better) return;
  html("div", "", place, `better: ${study.better.line.map(step => step.move).join(" | ")}`);
  if (study.better.reply) html("div", "", place, `the reply to the move played: ${study.better.reply}`);
  if (study.better.why.length) html("div", "", place, `why: ${spoken(state.info, study.better.why.join("; "))}`);
}
whenDrawn(show);
if (state.tree) show();
