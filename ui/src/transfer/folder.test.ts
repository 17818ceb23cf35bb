import { describe, expect, it } from "vitest";
import { chosen, FolderFault, ignored, limits } from "./folder";
import { crc32, zipped } from "./zip";

const file = (path: string, text = "text") => {
  const made = new File([text], path.split("/").at(-1) ?? "");
  Object.defineProperty(made, "webkitRelativePath", { value: path });
  return made;
};
const fault = (act: () => unknown) => {
  try {
    act();
  } catch (thrown) {
    return thrown instanceof FolderFault ? [thrown.kind, thrown.about] : thrown;
  }
  return undefined;
};

describe("a folder", () => {
  it("leaves out what is hidden or no docs, and names it once", () => {
    const folder = chosen([
      file("docs/b.md"),
      file("docs/.git/HEAD"),
      file("docs/.git/refs/x"),
      file("docs/a/node_modules/p/i.js"),
      file("docs/.gitbook/assets/x.png"),
      file("docs/a/one.md"),
      file("docs/.DS_Store"),
    ]);
    expect(folder.name).toBe("docs");
    expect(folder.files.map(({ path }) => path)).toEqual([".gitbook/assets/x.png", "a/one.md", "b.md"]);
    expect(folder.left).toEqual([".DS_Store", ".git", "a/node_modules"]);
    expect([".gitbook.yaml", "node_modules2", "a.b", ".env", "__MACOSX"].map(ignored)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("is refused when it is empty or too large", () => {
    expect(fault(() => chosen([]))).toEqual(["empty", ""]);
    expect(fault(() => chosen([file("docs/.git/HEAD")]))).toEqual(["empty", ""]);
    const large = file("docs/a/film.mp4");
    Object.defineProperty(large, "size", { value: limits.file + 1 });
    expect(fault(() => chosen([large]))).toEqual(["file", "a/film.mp4"]);
    const many = Array.from({ length: 12 }, (_, i) =>
      Object.defineProperty(file(`docs/${i}`), "size", { value: limits.file }),
    );
    expect(fault(() => chosen(many))).toEqual(["bytes", ""]);
    const one = file("docs/x");
    expect(fault(() => chosen(Array.from({ length: limits.files + 1 }, () => one)))).toEqual(["files", ""]);
  });
});

describe("a ZIP", () => {
  it("has the check sums of ZIP", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array())).toBe(0);
  });

  it("has every file with its name and bytes, and says where each begins", async () => {
    const folder = chosen([file("docs/ä.md", "# Ä"), file("docs/a/one.md", "one")]);
    const told: number[] = [];
    const bytes = new Uint8Array(
      await (await zipped(folder.files, (part) => told.push(part), new AbortController().signal)).arrayBuffer(),
    );
    const view = new DataView(bytes.buffer);
    const end = bytes.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    expect(view.getUint16(end + 10, true)).toBe(2);
    const found: Record<string, string> = {};
    const text = (from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length));
    for (let at = view.getUint32(end + 16, true); at < end;) {
      const [size, name, local] = [
        view.getUint32(at + 24, true),
        view.getUint16(at + 28, true),
        view.getUint32(at + 42, true),
      ];
      expect(view.getUint32(local, true)).toBe(0x04034b50);
      const begins = local + 30 + view.getUint16(local + 26, true);
      expect(view.getUint32(at + 16, true)).toBe(crc32(bytes.subarray(begins, begins + size)));
      found[text(at + 46, name)] = text(begins, size);
      at += 46 + name;
    }
    expect(found).toEqual({ "a/one.md": "one", "ä.md": "# Ä" });
    expect(told.at(-1)).toBe(1);
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    const packing = zipped(chosen([file("d/a"), file("d/b"), file("d/c")]).files, () => stop.abort(), stop.signal);
    await expect(packing).rejects.toMatchObject({ name: "AbortError" });
  });
});
