// Exports the position as text or picture, and the game as a link.
import { packed } from "./flow.js";
import { asPng, boardAsSvg, save } from "./pictures.js";
import { state } from "./state.js";

// Shows a message on a button for a moment.
function flash(button, said) {
  button.dataset.words ??= button.textContent;
  button.textContent = said;
  setTimeout(() => { button.textContent = button.dataset.words; }, 1500);
}

async function copyText(button, text) {
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = false; }
  if (!done) { openPaste(true); byId("text").value = text; byId("text").select(); }
  flash(button, done ? "copied" : "copy it from below");
}
export function openPaste(open) {
  byId("paste").hidden = !open;
  document.querySelector("[data-do=paste]").setAttribute("aria-expanded", open);
}

export const copyInput = button => copyText(button, state.tree.at.input ?? state.tree.at.parent.input);
export const copyLink = async button => copyText(button, `${location.href.split("#")[0]}#g=${await packed()}`);

const svg = () => boardAsSvg(document.querySelector("#board svg"));
const fileName = () => `${state.info.name}-${state.tree.at.ply}`;
export async function copySvg(button) {
  try { await navigator.clipboard.writeText(svg()); flash(button, "copied"); } catch {
    save(new Blob([svg()], { type: "image/svg+xml" }), `${fileName()}.svg`);
    flash(button, "saved");
  }
}
export async function copyPng(button) {
  try {
    const png = await asPng(svg());
    try { await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]); flash(button, "copied"); } catch {
      save(png, `${fileName()}.png`);
      flash(button, "saved");
    }
  } catch (error) { flash(button, error.message); }
}
