// Exports the position as text or picture, and the game as a link.
import { packed } from "./flow.js";
import { desk, hides, isHuman, state } from "./state.js";

// Shows a message on a button for a moment.
function flash(button, said) {
  button.dataset.words ??= button.textContent;
  button.textContent = said;
  setTimeout(() => { button.textContent = button.dataset.words; }, 1500);
}

async function copyText(button, text) {
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = false; }
  byId("copied").hidden = done;
  byId("copied").value = text;
  if (!done) byId("copied").select();
  flash(button, done ? "copied" : "copy it from below");
}

export function copyInput(button) {
  const { at } = state.tree;
  return copyText(button, state.info.own ? (hides(state) && !isHuman(at.seen?.side) ? "" : at.seen?.task) ?? "" : at.input ?? at.parent.input);
}
export const copyLink = async button => copyText(button, `${location.href.split("#")[0]}#g=${await packed()}`);

// The link for a friend, which is shown beside the button.
export async function copyLetter(button) {
  byId("letter").select();
  try { await navigator.clipboard.writeText(byId("letter").value); flash(button, "copied"); } catch { flash(button, "copy it from here"); }
}

// The board as an SVG document.
export function svg() {
  const { tree: { at, rules } } = state;
  return desk.ask("picture", at.parent ? [at.parent.input, rules, at.output] : [at.input, rules, undefined]);
}
// An SVG document as PNG, at twice the size.
export async function asPng(text) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * picture.width, 2 * picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob(blob => blob ? done(blob) : fail(new Error("this browser cannot make a PNG")), "image/png"));
}
// Offers a file for download.
export function save(blob, extension) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${state.info.name}-${state.tree.at.ply}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
export async function copySvg(button) {
  const text = await svg();
  try { await navigator.clipboard.writeText(text); flash(button, "copied"); } catch {
    save(new Blob([text], { type: "image/svg+xml" }), "svg");
    flash(button, "saved");
  }
}
export async function copyPng(button) {
  try {
    const png = await asPng(await svg());
    try { await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]); flash(button, "copied"); } catch {
      save(png, "png");
      flash(button, "saved");
    }
  } catch (error) { flash(button, error.message); }
}
