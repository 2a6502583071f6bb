// A notebook in a link: `#code=` and the program, percent-encoded as it is or, after `~`, compressed in base64.
// Cells begin with a line `# %%`, those of words with `# %% [markdown]`, in which each line is a comment.

const MARK = /^# %%(.*)\n/m;
const WORDS = "[markdown]";
// What a link may hold: a few thousand bytes can be unpacked to any number.
const MOST = 2_000_000;
const MOST_CELLS = 2_000;

function checked(length, most = MOST, what = "bytes") {
  if (length > most) throw new RangeError(`more than ${most.toLocaleString("en")} ${what}`);
}

export function text(cells) {
  const parts = cells.map(({ cell_type, source }) => {
    const code = Array.isArray(source) ? source.join("") : source;
    const words = () => code.split("\n").map((line) => (line ? `# ${line}` : "#"));
    return cell_type === "code" ? `# %%\n${code}\n` : `# %% ${WORDS}\n${words().join("\n")}\n`;
  });
  return parts.join("\n");
}

// A name that nothing else has, on pages that came without encryption, too.
export function identity() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function cells(program) {
  const [first, ...rest] = program.split(MARK);
  checked(rest.length / 2, MOST_CELLS, "cells");
  const found = first.trim() ? [{ kind: "code", source: first }] : [];
  for (let index = 0; index < rest.length; index += 2) {
    const isWords = rest[index].trim() === WORDS;
    const source = isWords ? rest[index + 1].replace(/^# ?/gm, "") : rest[index + 1];
    found.push({ kind: isWords ? "markdown" : "code", source });
  }
  return found.map(({ kind, source }) => ({
    ...{ id: identity(), cell_type: kind, metadata: {}, source: source.replace(/^\n+|\s+$/g, "") },
    ...(kind === "code" ? { outputs: [], execution_count: null } : {}),
  }));
}

// What comes out of a stream, which is left as soon as that is too much.
async function through(stream, bytes) {
  const parts = [];
  let length = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > MOST) void reader.cancel(); // or it goes on by itself
    checked(length);
    parts.push(value);
  }
}

export async function encoded(program) {
  const plain = new TextEncoder().encode(program);
  checked(plain.length);
  const bytes = await through(new CompressionStream("deflate-raw"), plain);
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return "~" + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function decoded(value) {
  checked(value.length);
  if (!value.startsWith("~")) return decodeURIComponent(value);
  const letters = atob(value.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}
