// Loads files that scripts/site has compressed by gzip. Some servers tell the browser so, which then decompresses them by itself.
export async function loadPacked(file) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status} ${answer.statusText}`);
  const bytes = await answer.arrayBuffer();
  if (new Uint8Array(bytes)[0] !== 0x1f) return bytes;
  try {
    return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  } catch (error) { throw new Error(`${file} is damaged: ${error.message}`); }
}
