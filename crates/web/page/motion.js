// Motion and sound of moves. Neither where the system asks for calm, unless the sound is switched on.
import { state } from "./state.js";

const HOP = 200, LONGEST = 900;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pieces = () => document.querySelector("#board .pieces");

// The pieces that are shown, by their places, for the motion to the next position.
export function keepPieces() {
  return new Map([...pieces()?.children ?? []].filter(one => one.dataset.at).map(one => [one.dataset.at, one.cloneNode(true)]));
}

// Moves the piece that played from its old place along its path, and fades what it captured.
export function slide(before, now, at) {
  sound(at.over ? "end" : now.changed.length ? "capture" : "move");
  if (calm.matches) return;
  const place = pieces(), piece = ([x, y]) => place.querySelector(`[data-at="${x},${y}"]`);
  const end = now.path.at(-1), moved = end && piece(end), hops = now.path.length - 1;
  const duration = Math.min(HOP * Math.max(1, hops), LONGEST);
  if (moved && hops > 0) {
    // On a turned board a piece is turned within its cell, and its own directions with it.
    const step = state.turned ? -100 : 100;
    const frames = now.path.map(([x, y]) => ({ transform: `translate(${step * (x - end[0])}px, ${step * (y - end[1])}px)` }));
    moved.parentNode.append(moved);
    moved.animate(frames, { duration, easing: hops > 1 ? "linear" : "ease-in-out" });
  } else if (moved) moved.animate([{ opacity: 0 }, { opacity: 1 }], { duration: HOP });
  for (const [x, y] of now.changed) {
    const old = before.get(`${x},${y}`), present = piece([x, y]);
    if (present && present !== moved) present.animate([{ opacity: .1 }, { opacity: 1 }], { duration: 2 * HOP });
    else if (old) {
      place.prepend(old);
      old.animate([{ opacity: 1 }, { opacity: 1, offset: duration / (duration + HOP) }, { opacity: 0 }], { duration: duration + HOP }).onfinish = () => old.remove();
    }
  }
}

let audio = null;
const KEPT = "menagerie.sound";
// Whether sounds are on: as last chosen, else unless the system asks for calm.
export function sounds() {
  try { return (localStorage.getItem(KEPT) ?? (calm.matches ? "off" : "on")) === "on"; } catch { return !calm.matches; }
}
export function toggleSound() {
  try { localStorage.setItem(KEPT, sounds() ? "off" : "on"); } catch { /* A page in a frame may have no local storage. */ }
  showSound();
}
calm.onchange = () => showSound();
export function showSound() { document.querySelector("[data-do=sound]").setAttribute("aria-pressed", sounds()); }

// Each sound is a list of tones: hertz, seconds from now, seconds long.
const TONES = { move: [[330, 0, .07]], capture: [[220, 0, .09], [150, .06, .12]], end: [[392, 0, .15], [523, .14, .15], [659, .28, .3]] };
function sound(name) {
  if (!sounds() || state.mode !== "play" || document.hidden) return;
  try {
    audio ??= new AudioContext();
    for (const [hertz, from, long] of TONES[name]) {
      const tone = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime + from;
      tone.type = "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(.08, start);
      volume.gain.exponentialRampToValueAtTime(.0005, start + long);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + long);
    }
  } catch { /* A machine without a sound card. */ }
}
