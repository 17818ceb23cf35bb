// Makes common.txt.gz, the passwords that nobody may choose, from an npm package: those of at least eight characters,
// in lower case, sorted. Run by `make generate` as: node internal/people/account/passwords/vendor.mjs
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const name = "@zxcvbn-ts/language-common@4.1.3";
const hash = "g2bg4skmlJG9aJqC/nWziZzgYpSe/f3rKeGobrkdFiOrfZVFqqzUgC6BUQWuX54Sua9j0Jxxt+1bf4f/Mal1Kg==";

const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), "vendor-"));
try {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", work, name], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const archive = join(
    work,
    readdirSync(work).find((file) => file.endsWith(".tgz")),
  );
  if (createHash("sha512").update(readFileSync(archive)).digest("base64") !== hash)
    throw new Error(`${name} is not what it was`);
  execFileSync("tar", ["-xzf", archive, "-C", work]);

  const all = JSON.parse(readFileSync(join(work, "package", "src", "passwords.json"), "utf8"));
  const kept = new Set(all.map((each) => each.normalize("NFKC").toLowerCase()).filter((each) => [...each].length >= 8));
  const list = [...kept].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).join("\n") + "\n";
  const target = join(here, "common.txt.gz");
  // Another version of the compressor writes other bytes for the same list.
  let current = "";
  try {
    current = gunzipSync(readFileSync(target)).toString();
  } catch {
    // Not there yet.
  }
  if (current !== list) writeFileSync(target, gzipSync(list, { level: 9 }));
  copyFileSync(join(work, "package", "LICENSE.txt"), join(here, "LICENSE.txt"));
} finally {
  rmSync(work, { recursive: true, force: true });
}
