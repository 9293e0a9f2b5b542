// Boards of the rules that can be played on: both sides by hand, from the position of an input file, and back to it.
import { cellWords } from "./cells.js";
import { Desk } from "./desk.js";
import { Grid } from "./grid.js";
import { does, of, spoken } from "./names.js";

const text = byId("rules-text"), { game, rules } = text.dataset;
// All boards share a worker, which is loaded when the first board is pressed.
const desk = new Desk(false);
let info = null;

async function begin(figure, bar) {
  const place = figure.querySelector(".small-board"), said = html("p", "said", figure);
  said.setAttribute("aria-live", "polite");
  said.textContent = "loading";
  info ??= desk.open(game);
  const told = await info, { sides } = told, layer = html("div", "grid", place), grid = new Grid(layer);
  layer.setAttribute("role", "grid");
  layer.setAttribute("aria-label", "Board");
  const { board } = await desk.ask("look", [figure.dataset.input, rules]);
  const drawn = place.querySelector("svg"), groups = name => drawn.querySelector(`.${name}`);
  let input, turn = 0;
  const show = ({ marks, pieces, way, path }) => {
    groups("marks").innerHTML = marks ?? "";
    groups("pieces").innerHTML = pieces;
    groups("ways").innerHTML = path.length > 1 ? `<g class="way">${way}</g>` : "";
  };
  const offer = (seen, words) => {
    grid.show(seen.moves, cellWords(told, board, seen.position));
    said.textContent = words + (seen.over ? "" : `${of(sides[seen.side])} turn.`);
  };
  const reset = async () => {
    const mine = ++turn, seen = await desk.ask("look", [figure.dataset.input, rules]);
    if (mine !== turn) return;
    ({ input } = figure.dataset);
    show(seen.position);
    offer(seen, "");
  };
  grid.lay(board);
  grid.changed = () => {
    if (grid.chain.complete()) said.textContent = "Press this square again to end the move here, or go on.";
  };
  grid.played = async move => {
    const mine = ++turn, played = await desk.ask("play", [input, rules, move.output]);
    if (mine !== turn) return;
    ({ input } = played);
    show(played.position);
    const words = `${sides[played.side]} played ${played.text}. `;
    if (played.over) {
      const { winner, why } = played.over;
      grid.show([], cellWords(told, board, played.position));
      said.textContent = `${words}${winner === null ? "A draw" : does(sides[winner], "win")}${why ? `: ${spoken(told, why)}` : ""}.`;
      return;
    }
    const seen = await desk.ask("look", [input, rules]);
    if (mine === turn) offer(seen, words);
  };
  layer.addEventListener("keydown", event => { if (event.key === "Escape") grid.undo(); });
  bar.textContent = "start again";
  bar.onclick = () => reset().catch(complain);
  const complain = error => { said.textContent = `Error: ${error.message}`; };
  await reset();
  layer.querySelector("[tabindex='0']").focus({ preventScroll: true });
}

for (const figure of text.querySelectorAll("figure[data-input]")) {
  const bar = html("button", "", html("div", "buttons", figure), "play on this board");
  bar.type = "button";
  bar.onclick = () => {
    bar.onclick = null;
    begin(figure, bar).catch(error => { html("p", "said", figure, `Error: ${error.message}`); });
  };
}
