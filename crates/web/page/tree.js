// A game tree, and its packed form for links and local storage.

export class Tree {
  // A game that begins with the position of an input file.
  constructor(game, rules, input, players) {
    Object.assign(this, { game, rules, players });
    this.root = node(null, { input });
    this.at = this.root;
  }

  // Adds a played move (an answer of `play`) to the current position, unless it is there already, and goes to it.
  add(played) {
    const known = this.at.children.find(child => child.output === played.output);
    const child = known ?? node(this.at, played);
    if (!known) this.at.children.push(child);
    this.go(child);
    return child;
  }

  // Goes to a position, and makes the line through it the current line.
  go(to) {
    this.at = to;
    for (let one = to; one.parent; one = one.parent) one.parent.next = one;
  }

  // Goes back to a position, which becomes the end of the current line. The moves after it stay as variations.
  back(to) {
    to.next = null;
    this.at = to;
  }

  // The comments on the moves of the current line, by their plies.
  notes() {
    return Object.fromEntries(this.line().filter(one => one.note).map(one => [one.ply, one.note]));
  }

  // The positions of the current line, the start first.
  line() {
    const line = [];
    for (let one = this.root; one; one = one.next) line.push(one);
    return line;
  }

  // The current line as a plain object.
  plain() {
    return { v: 1, game: this.game, rules: this.rules, input: this.root.input, moves: this.line().slice(1).map(one => one.output) };
  }
}

function node(parent, played) {
  return { parent, children: [], next: null, ply: parent ? parent.ply + 1 : 0, seen: null, chance: null, ...played };
}

// Pipes bytes through a compression or decompression stream. Links hold deflated JSON in URL-safe base64. In a browser that cannot compress they
// begin with PLAIN, and hold the JSON as it is.
const PLAIN = ".";
function compressor() { try { return new CompressionStream("deflate-raw"); } catch { return null; } }
function decompressor() { try { return new DecompressionStream("deflate-raw"); } catch { throw new Error("this browser cannot read the link, because it lacks DecompressionStream"); } }
async function through(bytes, stream) {
  const whole = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await whole.arrayBuffer());
}

export async function pack(value) {
  const plain = new TextEncoder().encode(JSON.stringify(value)), stream = compressor(), bytes = stream ? await through(plain, stream) : plain;
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return (stream ? "" : PLAIN) + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The longest link, and the longest text that it may decompress to, checked during decompression. Both in characters.
const LONGEST = 100_000, MOST = 2_000_000;

export async function unpack(text) {
  if (text.length > LONGEST) throw new Error("this link is too long");
  const isPlain = text.startsWith(PLAIN);
  let bytes;
  try { bytes = Uint8Array.from(atob(text.slice(isPlain ? PLAIN.length : 0).replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0)); }
  catch { throw new Error("this link is damaged"); }
  const whole = new Blob([bytes]).stream(), reader = (isPlain ? whole : whole.pipeThrough(decompressor())).getReader();
  const decoder = new TextDecoder();
  let json = "";
  try {
    for (let part = await reader.read(); !part.done && json.length <= MOST; part = await reader.read())
      json += decoder.decode(part.value, { stream: true });
  } catch { throw new Error("this link is damaged"); }
  if (json.length > MOST) { reader.cancel(); throw new Error("this link is too long"); }
  let value;
  try { value = JSON.parse(json); } catch { throw new Error("this link is damaged"); }
  const isText = one => typeof one === "string";
  const fine = value?.v === 1 && isText(value.game) && isText(value.rules) && isText(value.input) && Array.isArray(value.moves) && value.moves.every(isText);
  if (!fine) throw new Error("this link does not contain a game");
  value.notes = Object.fromEntries(Object.entries(value.notes ?? {}).filter(([, note]) => isText(note)));
  return value;
}
