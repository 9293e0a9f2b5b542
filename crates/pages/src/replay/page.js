
// The page: games, positions, the line that would have been better, the plot, the list of moves, keys and links.
const parts = JSON.parse(byId("data").textContent);
const MARKS = PLOT_MARKS;
// The pieces of a position, from the cells in which it differs from the one before.
function pieces(before, changed) {
  const cells = [...before];
  for (const [at, svg] of changed ?? []) cells[at] = svg;
  return cells;
}
// Gives each position the SVG of its pieces.
function unfold(game) {
  let before = [];
  for (const position of game.positions) {
    let better = before;
    for (const step of position.better?.line ?? []) step.pieces = (better = pieces(better, step.cells)).join("");
    position.pieces = (before = pieces(before, position.cells)).join("");
  }
}
const games = parts.flatMap((part, index) => part.games.map(game => {
  unfold(game);
  // A game's name in links: its number, with its record's before it where there are several records.
  const all = { ...game, part, link: parts.length > 1 ? `${index + 1}.${game.game}` : `${game.game}` };
  if (game.fault) {
    const last = game.positions[game.positions.length - 1];
    all.positions = [...game.positions, { ...last, path: [], changed: [], marks: "", side: game.fault.player, refused: game.fault.output ?? "",
      move: undefined, stderr: game.fault.stderr, better: undefined, analysis: undefined, cpu: undefined, left: undefined, score: undefined, says: undefined, depth: undefined }];
  }
  return all;
}));
// `step`: the move of the better line that is shown instead of the game's position, or null.
let current = 0, ply = 0, step = null, timer = null;

const plies = count => count === 1 ? "1 ply" : `${count} plies`;
const lastPly = game => game.positions.length - 1;
// Of two moves at the same time, the position after the second one shows both.
const isHalf = (game, at) => at < lastPly(game) && game.positions[at]?.half === true;
const percent = expected => `${Math.round(100 * expected)} %`;
const firstSide = game => game.part.sides[game.part.first];
function resultWord(game) {
  if (game.termination === "legal move") return "*";
  if (game.winner === null) return "1/2-1/2";
  return game.winner === game.part.first ? "1-0" : "0-1";
}
function spoken(game, at) {
  const position = game.positions[at];
  if (at === 0) return game.opening.length ? "opening: " + game.opening.join(", ") : "start";
  const first = game.positions[at - 1].half ? `${spoken(game, at - 1)} | ` : "";
  const who = `${first}${at}. ${game.part.sides[position.side]}`;
  return position.refused === undefined ? `${who} ${position.move}` : `${who}: ${game.termination}`;
}

function drawPosition() {
  const game = games[current], now = game.positions[ply], line = now.better?.line;
  byId("said").hidden = !game.positions.some(position => position.stderr);
  byId("said").lastElementChild.textContent = now.stderr ?? "";
  if (step !== null && line) {
    drawBoard(byId("board"), game.cells, line[step], lastWay(line[step]));
    byId("caption").textContent = `better line, move ${step + 1} of ${line.length}: ${line[step].move}`;
    return;
  }
  const refused = now.refused === undefined ? null : game.refused;
  drawBoard(byId("board"), game.cells, now, [...(now.thoughts ?? []), ...lastWay(now), ["better", line?.[0].aim ?? line?.[0].way], ["refused", refused]]);
  const sign = now.analysis?.mark ? ` ${MARKS[now.analysis.mark]}` : "";
  byId("caption").textContent = spoken(game, ply) + sign + (line ? `; better: ${line[0].move}` : "") + (now.thought ? `; its thoughts: ${now.thought}` : "");
}

function drawBetter() {
  const now = games[current].positions[ply], place = byId("better"), { better, analysis } = now;
  place.hidden = !analysis?.mark;
  if (place.hidden) return;
  place.replaceChildren();
  html("b", analysis.mark, place, `${MARKS[analysis.mark]} `);
  place.append(analysis.cost);
  if (!better) return;
  const line = html("div", "line", place, "better: ");
  better.line.forEach((move, at) => {
    const button = html("button", "", line, move.move);
    button.type = "button";
    button.setAttribute("aria-pressed", at === step);
    button.onclick = () => { stop(); showStep(at === step ? null : at); };
  });
  if (better.reply) html("div", "", place, `the reply to the move played: ${better.reply}`);
  if (better.why.length) html("div", "", place, `why: ${better.why.join("; ")}`);
}

function clockAt(game, side, index) {
  let left = null, used = 0;
  for (let at = 1; at <= index; at++) {
    const position = game.positions[at];
    if (position.side === side && position.cpu !== undefined) { left = position.left; used += position.cpu; }
  }
  // A reference player's clock never runs down.
  return left == null || left > 1e5 ? `${used.toFixed(2)} s used` : `${left.toFixed(2)} s left`;
}

const seconds = time => `${time.toFixed(time < 1 ? 3 : 2)} s`;
// The mean and the most of a side's CPU times, and their share of the clock, of a game's or of a move's.
function timesOf(game, side) {
  const turns = game.positions.map((position, at) => [position.cpu, at]).filter(([cpu, at]) => cpu !== undefined && game.positions[at].side === side);
  if (game.fault?.player === side) turns.push([game.fault.cpu, lastPly(game)]);
  const sum = turns.reduce((sum, [cpu]) => sum + cpu, 0), [most, at] = turns.reduce((one, other) => other[0] > one[0] ? other : one, [0, 0]);
  if (!most) return null;
  const { game: whole, single } = game.clocks[side] ?? {}, share = whole ? sum / whole : single ? most / single : null;
  const clock = share === null ? "" : `, ${(100 * share).toFixed(1)} % of the ${whole ? "clock" : "clock at most"}`;
  return `mean ${seconds(sum / turns.length)}, most ${seconds(most)} at move ${at}${clock}`;
}

function drawPlayers() {
  const game = games[current], place = byId("players");
  place.replaceChildren();
  const mover = ply > 0 ? game.positions[ply].side : null;
  for (const side of [game.part.first, 1 - game.part.first]) {
    const row = html("div", "player" + (mover === side ? " turn" : ""), place);
    const name = html("span", "", row);
    face(game.cells, side, name);
    name.append(game.players[side] + " ");
    html("small", "", name, game.part.sides[side] + (ply === lastPly(game) && game.winner === side ? ", won" : ""));
    const figures = html("span", "clock", row, clockAt(game, side, ply));
    const accuracy = game.accuracy[side];
    if (game.analysed[side]) {
      const [inaccuracies, mistakes, blunders] = game.marks[side];
      const told = html("div", "", figures);
      html("small", "accuracy", told, `accuracy ${accuracy === null ? "no figure" : `${accuracy.toFixed(0)} %`}, ${inaccuracies} ?! ${mistakes} ? ${blunders} ??`)
        .title = `${inaccuracies} inaccuracies, ${mistakes} mistakes, ${blunders} blunders`;
    }
  }
}

function drawGamePlot() {
  const game = games[current], legend = byId("legend"), one = firstSide(game);
  legend.replaceChildren();
  const plotted = { positions: game.positions, first: game.part.first, winBound: game.part.winBound, spoken: at => spoken(game, at) };
  const { chances, scores, clocks, times } = drawPlot(byId("plot"), plotted, at => { stop(); show(at); });
  if (chances) html("span", "chance", legend, `winning chances of ${one} by analysis`);
  for (const side of scores)
    html("span", side === game.part.first ? "first" : "second", legend, `score for ${one} as ${game.part.sides[side]} told it`);
  if (clocks) html("span", "dots", legend, "clocks");
  if (!times) return;
  const more = html("details", "", legend);
  html("summary", "", more, `bars: CPU a move, at most ${seconds(times)}`);
  for (const side of [game.part.first, 1 - game.part.first]) {
    const told = timesOf(game, side);
    if (told) html("div", "times", more, `${game.part.sides[side]}: ${told}`);
  }
}

function drawMoves() {
  const game = games[current], list = byId("moves"), head = byId("head");
  const scored = game.positions.some(position => position.says || position.depth);
  const kind = "row" + (scored ? "" : " bare");
  const fill = (row, cells) => (scored ? cells : [cells[2]]).forEach(cell => html("span", "", row, cell ?? ""));
  head.replaceChildren();
  const title = html("div", kind, head);
  html("span", "what", title, "move");
  fill(title, [`score, ${firstSide(game)}`, "depth", "CPU"]);
  list.replaceChildren();
  game.positions.forEach((position, at) => {
    const item = html("li", "", list), row = html("button", kind, item);
    item.hidden = isHalf(game, at);
    row.type = "button";
    row.tabIndex = -1;
    const what = html("span", "what", row, spoken(game, at));
    const mark = position.analysis?.mark;
    if (mark) html("span", `mark ${mark}`, what, " " + MARKS[mark]).title = position.analysis.cost;
    if (position.note) html("div", "note", what, position.note);
    const cpus = [isHalf(game, at - 1) ? game.positions[at - 1].cpu : undefined, position.cpu].filter(cpu => cpu !== undefined);
    fill(row, [position.says, position.depth, cpus.length ? cpus.map(cpu => cpu.toFixed(2)).join(" + ") + " s" : ""]);
    row.onclick = () => { stop(); show(at); };
  });
  const end = byId("end");
  end.replaceChildren();
  html("b", "", end, resultWord(game) + " " + game.termination);
  html("div", "", end, game.reason);
  const told = (at, words) => {
    const button = html("button", "turning", end, words);
    button.type = "button";
    button.onclick = () => { stop(); show(at); };
  };
  if (game.turned) told(game.turned, `the game turned with ${spoken(game, game.turned)}`);
  game.unfinished.forEach((at, side) => { if (at) told(at, `${game.part.sides[side]} was winning from move ${at} and did not finish`); });
  if (game.fault) {
    if (game.fault.output !== null) html("pre", "", end, "output.txt:\n" + game.fault.output);
    if (game.fault.stderr) html("pre", "", end, "standard error:\n" + game.fault.stderr);
    html("small", "", end, `legal moves (${game.fault.legal_count}): ${game.fault.legal.join("  ")}`);
  }
  byId("next-mark").hidden = !game.positions.some(position => position.analysis?.mark);
}

function show(to) {
  const game = games[current], last = lastPly(game);
  const near = Math.min(Math.max(0, to), last);
  ply = isHalf(game, near) ? near + (to < ply ? -1 : 1) : near;
  step = null;
  if (ply === last) stop();
  byId("slider").max = last;
  byId("slider").value = ply;
  drawPosition();
  drawBetter();
  drawPlayers();
  plotCursor(byId("plot"), game.positions, ply);
  const list = byId("moves"), before = list.querySelector(".now");
  const item = list.children[ply];
  if (before) { before.classList.remove("now"); before.firstChild.tabIndex = -1; }
  const hadFocus = before?.contains(document.activeElement);
  item.classList.add("now");
  item.firstChild.tabIndex = 0;
  if (hadFocus) item.firstChild.focus({ preventScroll: true });
  list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  byId("copied").hidden = true;
  const link = `#${game.link}/${ply}`;
  if (location.hash !== link) location.replace(link);
}

function showStep(to) {
  const line = games[current].positions[ply].better?.line;
  if (!line) return;
  step = to === null ? null : Math.min(Math.max(0, to), line.length - 1);
  drawPosition();
  drawBetter();
}

function choose(index, at = 0) {
  stop();
  current = Math.min(Math.max(0, index), games.length - 1);
  document.querySelectorAll("#list button").forEach((button, at) => {
    button.setAttribute("aria-current", at === current);
    // The list alone scrolls: the board stays in the window.
    if (at === current) byId("list").scrollTop = button.offsetTop - byId("list").offsetTop - byId("list").clientHeight / 2;
  });
  drawMoves();
  drawGamePlot();
  show(at);
}

// `#game/ply`, also when somebody edits it. Without a game the first one that is analysed, or else the first one.
function follow() {
  const [link, at] = location.hash.slice(1).split("/");
  const linked = games.findIndex(game => game.link === link);
  const analysed = games.findIndex(game => game.positions.some(position => position.analysis));
  const index = linked === -1 ? Math.max(0, analysed) : linked;
  const to = Math.min(Math.max(0, Number(at) || 0), lastPly(games[index]));
  if (index !== current || to !== ply) choose(index, to);
  else if (location.hash !== `#${games[index].link}/${to}`) show(to);
}

function stop() {
  clearInterval(timer);
  timer = null;
  document.querySelector("[data-go=run]").textContent = "play";
}
function run() {
  if (timer) { stop(); return; }
  if (ply === lastPly(games[current])) show(0);
  timer = setInterval(() => show(ply + 1), 500);
  document.querySelector("[data-go=run]").textContent = "pause";
}

function nextMark() {
  const { positions } = games[current], marked = at => positions[at].analysis?.mark;
  for (let away = 1; away <= positions.length; away++) {
    const at = (ply + away) % positions.length;
    if (marked(at)) { show(at); return; }
  }
}

async function copyInput() {
  const game = games[current], text = game.positions[ply].input, button = document.querySelector("[data-go=copy]");
  const copied = text ?? `judge position ${game.part.file} --game ${game.game} --ply ${ply + 1}\n`;
  let done = true;
  try { await navigator.clipboard.writeText(copied); } catch { done = false; }
  byId("copied").hidden = done;
  byId("copied").value = copied;
  if (!done) byId("copied").select();
  button.textContent = done ? "copied" : "copy it from below";
  setTimeout(() => { button.textContent = "copy as input.txt"; }, 1500);
}

const walk = by => () => { stop(); if (step === null) show(ply + by); else showStep(step + by < 0 ? null : step + by); };
const actions = {
  first: () => { stop(); show(0); }, back: walk(-1), next: walk(1), last: () => { stop(); show(Infinity); }, run,
  mark: () => { stop(); nextMark(); }, copy: () => { stop(); copyInput(); },
};
const keys = { ArrowLeft: actions.back, ArrowRight: actions.next, Home: actions.first, End: actions.last, " ": run, m: actions.mark,
  c: actions.copy, Escape: () => showStep(null), ArrowUp: () => choose(current - 1), ArrowDown: () => choose(current + 1) };
document.addEventListener("keydown", event => {
  const action = keys[event.key];
  if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
  // Space presses the button that has the focus.
  if (event.key === " " && event.target.closest?.("button")) return;
  if (event.target.id === "copied") return;
  event.preventDefault();
  action();
});
document.querySelectorAll("#controls button").forEach(button => { button.onclick = () => actions[button.dataset.go](); });
byId("slider").oninput = event => { stop(); show(Number(event.target.value)); };
addEventListener("hashchange", follow);

for (const part of parts) {
  const heading = html("h2", "", byId("list"), part.title + " ");
  html("small", "", heading, part.file);
  for (const game of part.games) {
    const index = games.findIndex(other => other.part === part && other.game === game.game);
    const button = html("button", "", byId("list"));
    button.type = "button";
    const [one, other] = [part.first, 1 - part.first];
    html("div", "", button, `${game.game}. ${game.players[one]} – ${game.players[other]}`);
    html("small", "", button, `${resultWord(games[index])} ${game.termination}, ${plies(game.positions.length - 1)}`);
    button.onclick = () => choose(index);
  }
}
document.title = [...new Set(parts.map(part => part.title))].join(", ") + ": replay";
current = null;
follow();
