// A ZIP archive made in the browser. Files are stored as they are: what is sent is read once, and only one at a time is
// in memory.
import { FolderFault, type InFolder } from "./folder";

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let i = 0; i < 8; i++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

// crc32 is the check sum of a ZIP's file.
export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = (table[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

// fields writes numbers of 2 or 4 bytes, the lowest byte first.
function fields(...numbers: [size: 2 | 4, value: number][]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of numbers) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

const version = 20;
// Names are UTF-8.
const flags = 0x0800;
// The first of January 1980: when files were changed does not matter.
const [time, date] = [0, 0x21];

// zipped packs files, with progress by bytes, until it is told to stop.
export async function zipped(
  files: readonly InFolder[],
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const total = Math.max(
    1,
    files.reduce((sum, { file }) => sum + file.size, 0),
  );
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  const size = { parts: 0, directory: 0 };
  let read = 0;
  for (const { path, file } of files) {
    signal.throwIfAborted();
    // A file may be gone since it was found.
    const bytes = await file.arrayBuffer().then((buffer) => new Uint8Array(buffer), () => {
      throw new FolderFault("unreadable", path);
    });
    const name = new TextEncoder().encode(path.normalize("NFC"));
    const about: [2 | 4, number][] = [
      [2, flags],
      [2, 0],
      [2, time],
      [2, date],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ];
    const local = fields([4, 0x04034b50], [2, version], ...about);
    const central = fields(
      [4, 0x02014b50],
      [2, version],
      [2, version],
      ...about,
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, size.parts],
    );
    // The file stands for its bytes, which need not stay in memory.
    parts.push(local, name, file);
    directory.push(central, name);
    size.parts += local.length + name.length + bytes.length;
    size.directory += central.length + name.length;
    read += bytes.length;
    onProgress(read / total);
  }
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, size.directory],
    [4, size.parts],
    [2, 0],
  );
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
