// Real documents for the tests of the editor: the pages of the manual and of the Rust book, as the program reads them.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";
import type { JsonDocument } from "../src/editor/document";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

// binary is the program that turns Markdown into documents.
function binary(): string {
  const named = process.env["RECTO_BINARY"];
  if (named) return named;
  throw new Error("no program to read pages with: run these tests with scripts/ui test, or name one in RECTO_BINARY");
}

// documents returns what the program makes of Markdown texts, by their names.
export async function documents(texts: Map<string, string>): Promise<Map<string, JsonDocument>> {
  const recto = binary();
  const folder = mkdtempSync(join(tmpdir(), "recto-ui-"));
  const made = new Map<string, JsonDocument>();
  const left = [...texts].map(([name, text], i) => ({ name, text, file: join(folder, `${i}.md`) }));
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      writeFileSync(next.file, next.text);
      const { stdout } = await run(recto, ["markdown", next.file, "--to", "document"], { maxBuffer: 64 << 20 });
      made.set(next.name, JSON.parse(stdout) as JsonDocument);
    }
  };
  try {
    await Promise.all([worker(), worker(), worker()]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return made;
}

// manual returns the pages of the manual by their paths.
export function manual(): Map<string, string> {
  const folder = join(root, "docs", "manual");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

// samples returns the texts that the program's own tests of the dialect read.
export function samples(): Map<string, string> {
  const folder = join(root, "internal", "engine", "markdown", "testdata");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

// book returns the pages of the Rust book by their paths.
export function book(): Map<string, string> {
  const archive = readFileSync(join(root, "internal", "content", "importer", "testdata", "rust-book.zip"));
  const pages = new Map<string, string>();
  for (const [name, read] of entries(archive)) if (name.endsWith(".md")) pages.set(name, read().toString("utf8"));
  return pages;
}

// entries walks the files of a ZIP archive without more than its directory.
function* entries(zip: Buffer): Generator<[string, () => Buffer]> {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const lengths = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)] as const;
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString("utf8", at + 46, at + 46 + lengths[0]);
    yield [
      name,
      () => {
        const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
        const packed = zip.subarray(start, start + size);
        return method === 0 ? packed : inflateRawSync(packed);
      },
    ];
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
}
