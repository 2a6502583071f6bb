// A notebook in a link: `#code=` and the program, percent-encoded as it is or, after `~`, compressed in base64.
// Cells begin with a line `# %%`, those of words with `# %% [markdown]`, in which each line is a comment.

const MARK = /^# %%(.*)\n/m;
const WORDS = "[markdown]";

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

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function encoded(program) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(program));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return "~" + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function decoded(value) {
  if (!value.startsWith("~")) return decodeURIComponent(value);
  const letters = atob(value.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}
