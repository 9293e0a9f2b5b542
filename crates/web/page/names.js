// The sides' names for people, and what grammar wants of them. Files name the sides by words such as FOX.
const NAMES = { foxgame: ["Foxes", "Sheep"], squirrels: ["Red", "Blue"] };
const SEVERAL = /s$|^(Sheep|Geese)$/;

// A game's description with the names in `sides`, and the words of its files in `words`.
export function named(info) {
  const plain = info.sides.map(word => word[0] + word.slice(1).toLowerCase());
  return { ...info, words: info.sides, sides: NAMES[info.name] ?? plain };
}

// A text of the game's module with names in place of the words of files.
export const spoken = (info, text) => info.words.reduce((text, word, side) => text.replace(new RegExp(`\\b${word}\\b`, "g"), info.sides[side]), text);

const isSeveral = name => SEVERAL.test(name);
// A side as the subject of a verb in the present tense: "Foxes win", "Red wins".
export const does = (name, verb) => `${name} ${isSeveral(name) ? verb : `${verb}s`}`;
export const is = name => `${name} ${isSeveral(name) ? "are" : "is"}`;
export const of = name => name.endsWith("s") ? `${name}'` : `${name}'s`;
// One piece of a side: "Wolf", but "Red".
const ONE = { Wolves: "Wolf", Foxes: "Fox", Geese: "Goose" };
export const one = name => ONE[name] ?? name;
// What the words of a game's moves and results mean, where they are not plain English.
export const NOTATION = {
  foxgame: "Deadlock: a side loses whose move brings back an earlier board since the last capture. ✕ marks such moves.",
  foxgeese: "A move: the piece, then u up, d down, l left, r right for each step or jump. X and Y are the foxes.",
  squirrels: "Raid: the square touches one of the mover's, who gets the other side's pieces beside it, too. Sneak: it touches none.",
};
// The sides within a sentence: "the foxes", but "Red".
export const within = name => isSeveral(name) ? `the ${name.toLowerCase()}` : name;
