// The board as a picture by itself: SVG and PNG.

// The board's SVG with its colours written out, for places that do not know the page's style.
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

// The same as PNG, of twice the size.
export async function asPng(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * picture.width, 2 * picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob(blob => blob ? done(blob) : fail(new Error("this browser makes no PNG")), "image/png"));
}

// Hands a file to whoever reads the page.
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
