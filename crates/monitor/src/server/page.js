
// The page of a monitor: shows the running game, and requests the moves that it does not have yet.
let number = 0, moves = [], shown = null, board = null, start = null, last = {};

// The notation of a point in the protocol, with coordinates from 1.
const point = ([x, y]) => `${x + 1},${y + 1}`;
const moveText = (move, at) => `${at + 1}. ${move.side} ${move.position.path.map(point).join("-")} (${move.ms} ms)`;

function draw() {
  const at = shown ?? moves.length - 1, move = moves[at];
  const now = move ? move.position : start;
  drawBoard(byId("board"), board, now, lastWay(now));
  byId("caption").textContent = shown === null ? (last.over || !move ? last.caption : moveText(move, at)) : moveText(move, at);
  const turn = last.over || shown !== null ? "" : `, ${last.turn} to move`;
  byId("sheep").textContent = `${move ? move.sheep : last.sheep} sheep${turn}`;
  byId("live").hidden = shown === null;
  document.querySelectorAll("#log button").forEach(button => button.setAttribute("aria-current", Number(button.dataset.at) === shown));
}

function select(at) { shown = at; draw(); }

function update(game) {
  if (game.game !== number) {
    [number, moves, shown] = [game.game, [], null];
    byId("log").replaceChildren();
  }
  [board, start, last] = [game.board, game.start, game];
  byId("players").textContent = game.players[0] || game.players[1] ? `FOX ${game.players[0]} – SHEEP ${game.players[1]}` : "FoxGame";
  for (const move of game.moves) {
    const at = moves.push(move) - 1, item = document.createElement("li"), button = html("button", "", item, moveText(move, at));
    button.type = "button";
    button.dataset.at = at;
    button.onclick = () => select(at);
    byId("log").prepend(item);
  }
  draw();
}

async function follow() {
  try {
    const game = await (await fetch(`game.json/${number}/${moves.length}`, { cache: "no-store" })).json();
    if (game.version !== last.version) update(game);
  } catch {
    byId("caption").textContent = "the monitor has ended";
  }
  setTimeout(follow, 150);
}
byId("live").onclick = () => select(null);
follow();
