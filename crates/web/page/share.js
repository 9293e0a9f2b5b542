// What leaves the page: the position as a text or a picture, the game as a link.
import { packed } from "./flow.js";
import { asPng, boardAsSvg, save } from "./pictures.js";
import { state } from "./state.js";

// The button says what has happened, for a while.
function told(button, said) {
  button.dataset.words ??= button.textContent;
  button.textContent = said;
  setTimeout(() => { button.textContent = button.dataset.words; }, 1500);
}

async function copied(button, text) {
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = false; }
  if (!done) { openPaste(true); byId("text").value = text; byId("text").select(); }
  told(button, done ? "copied" : "copy it from below");
}
export function openPaste(open) {
  byId("paste").hidden = !open;
  document.querySelector("[data-do=paste]").setAttribute("aria-expanded", open);
}

export const copyInput = button => copied(button, state.tree.at.input ?? state.tree.at.parent.input);
export const copyLink = async button => copied(button, `${location.href.split("#")[0]}#g=${await packed()}`);

const svg = () => boardAsSvg(document.querySelector("#board svg"));
const fileName = () => `${state.info.name}-${state.tree.at.ply}`;
export async function copySvg(button) {
  try { await navigator.clipboard.writeText(svg()); told(button, "copied"); } catch {
    save(new Blob([svg()], { type: "image/svg+xml" }), `${fileName()}.svg`);
    told(button, "saved");
  }
}
export async function copyPng(button) {
  try {
    const png = await asPng(svg());
    try { await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]); told(button, "copied"); } catch {
      save(png, `${fileName()}.png`);
      told(button, "saved");
    }
  } catch (error) { told(button, error.message); }
}
