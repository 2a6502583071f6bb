// node link.mjs PATH: read a link of each kind with `link.js`, and print the cells or the error as a line of JSON.

import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";

const source = readFileSync(process.argv[2], "utf8");
const { cells, decoded, encoded } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
const packed = (bytes) => "~" + deflateRawSync(bytes).toString("base64url");
const NOTEBOOK = "# %% [markdown]\n# Words\n\n# %%\n$x = 'é'\n";
const LINKS = {
  packed: await encoded(NOTEBOOK),
  plain: encodeURIComponent(NOTEBOOK),
  bomb: packed(Buffer.alloc(200_000_000)),
  torn: (await encoded(NOTEBOOK)).slice(0, -4),
  letters: "~!!!",
  percent: "%zz",
  long: "x".repeat(2_000_001),
  many: await encoded("# %%\n".repeat(2_001)),
};
const before = process.resourceUsage().maxRSS;
for (const [name, link] of Object.entries(LINKS)) {
  let result;
  try {
    result = cells(await decoded(link)).map(({ source }) => source);
  } catch (problem) {
    result = problem.message;
  }
  console.log(JSON.stringify([name, result]));
}
console.log(JSON.stringify(["copied", await encoded("x".repeat(2_000_001)).catch((problem) => problem.message)]));
console.log(JSON.stringify(["memory", process.resourceUsage().maxRSS - before]));
