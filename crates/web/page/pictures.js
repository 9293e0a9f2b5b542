// Exports the board as a picture, SVG or PNG.

// The board's SVG with resolved colours, so that it needs no style sheet.
export function boardAsSvg(svg) {
  const copy = svg.cloneNode(true), style = getComputedStyle(svg);
  const plain = value => value.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim() || "black");
  for (const one of copy.querySelectorAll("*")) for (const { name, value } of [...one.attributes]) if (value.includes("var(")) one.setAttribute(name, plain(value));
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const back = document.createElementNS(copy.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: style.getPropertyValue("--panel").trim() || "white" })) back.setAttribute(name, value);
  copy.prepend(back);
  copy.setAttribute("xmlns", copy.namespaceURI);
  copy.setAttribute("font-family", "system-ui, sans-serif");
  copy.setAttribute("width", Math.round(48 * width));
  copy.setAttribute("height", Math.round(48 * height));
  return new XMLSerializer().serializeToString(copy);
}

// An SVG as PNG, at twice the size.
export async function asPng(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * picture.width, 2 * picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob(blob => blob ? done(blob) : fail(new Error("this browser cannot make a PNG")), "image/png"));
}

// Offers a file for download.
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
