// A folder of this computer, chosen or dropped: which of its files are docs, and what is left out of it by name.

// InFolder is a file with its path below the folder.
export type InFolder = { path: string; file: File };
export type Folder = {
  name: string;
  files: InFolder[];
  // What was left out, by path: a folder stands for all that is in it.
  left: string[];
};

// A folder that is larger is better sent as a ZIP that a program has packed.
export const limits = { files: 20_000, bytes: 1 << 30, file: 100 << 20, depth: 64 };

// FolderFault says why a folder cannot be sent.
export class FolderFault extends Error {
  constructor(readonly kind: "empty" | "files" | "bytes" | "file" | "unreadable", readonly about = "") {
    super(kind);
  }
}

// ignored is what an import leaves out by its name, as the server does.
export const ignored = (name: string): boolean =>
  name !== ".gitbook" &&
  name !== ".gitbook.yaml" &&
  (name.startsWith(".") || name === "node_modules" || name === "__MACOSX");

// chosen makes a folder of what a field for folders gives, whose paths begin with the name of the folder.
export function chosen(files: Iterable<File>): Folder {
  const found = new Gathering();
  let name = "";
  for (const file of files) {
    const [first = "", ...rest] = (file.webkitRelativePath || file.name).split("/");
    if (rest.length > 0) name = first;
    found.add((rest.length > 0 ? rest : [first]).join("/"), file);
  }
  return found.end(name);
}

// dropped says whether a folder is among what was dropped, and begins to read it: that has to be asked at once.
export function dropped(items: DataTransferItemList): (() => Promise<Folder>) | undefined {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const folders = entries.filter((entry): entry is FileSystemDirectoryEntry => entry.isDirectory);
  const [only] = folders;
  if (!only) return undefined;
  return async () => {
    const found = new Gathering();
    // Several things together are in a folder without a name.
    if (entries.length === 1) await walk(only, "", 0, found);
    else for (const entry of entries) await take(entry, "", 0, found);
    return found.end(only.name);
  };
}

async function walk(folder: FileSystemDirectoryEntry, above: string, depth: number, found: Gathering): Promise<void> {
  if (depth > limits.depth) throw new FolderFault("unreadable", above);
  const reader = folder.createReader();
  // A reader gives some at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed)).catch(() => {
      throw new FolderFault("unreadable", above || folder.name);
    });
    if (some.length === 0) return;
    for (const entry of some) await take(entry, above, depth, found);
  }
}

async function take(entry: FileSystemEntry, above: string, depth: number, found: Gathering): Promise<void> {
  const path = above ? `${above}/${entry.name}` : entry.name;
  if (ignored(entry.name)) return found.leave(path);
  if (entry.isDirectory) return walk(entry as FileSystemDirectoryEntry, path, depth + 1, found);
  const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)).catch(
    () => {
      throw new FolderFault("unreadable", path);
    },
  );
  found.add(path, file);
}

// Gathering counts while files are found, so that a folder that is too large is refused before it is read.
class Gathering {
  private readonly files: InFolder[] = [];
  private readonly left = new Set<string>();
  private bytes = 0;

  leave(path: string): void {
    this.left.add(path);
  }

  add(path: string, file: File): void {
    const names = path.split("/");
    const at = names.findIndex(ignored);
    if (at >= 0) return this.leave(names.slice(0, at + 1).join("/"));
    if (file.size > limits.file) throw new FolderFault("file", path);
    this.bytes += file.size;
    this.files.push({ path, file });
    if (this.files.length > limits.files) throw new FolderFault("files");
    if (this.bytes > limits.bytes) throw new FolderFault("bytes");
  }

  end(name: string): Folder {
    if (this.files.length === 0) throw new FolderFault("empty");
    const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
    return { name, files: this.files.sort(byPath), left: [...this.left].sort() };
  }
}
