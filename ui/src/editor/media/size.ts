// The sizes of files and what kind they are, as readers see them.

export function sizeOf(bytes: number): string {
  if (bytes >= 1 << 20) return `${(bytes / (1 << 20)).toFixed(1)} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} KB` : `${bytes} B`;
}

// describe is what is known of a file: "PDF · 1.2 MB".
export function describe(name: string, size: number): string {
  const kind = /\.([^.]{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? "";
  return [kind, size > 0 ? sizeOf(size) : ""].filter(Boolean).join(" · ");
}
