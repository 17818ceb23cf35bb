import type { Row } from "../structure/rows";

// homeOf is the space that a site begins with, and its address there; none before the site is published.
export function homeOf(rows: Row[]): { space: string; address: string } | undefined {
  const placed = rows.flatMap((row) =>
    row.kind === "site-space" && row.of.urls.published ? [{ row, address: row.of.urls.published }] : [],
  );
  // The default space of the default section answers at the site's own address, which is the shortest.
  const [first] = placed.toSorted((a, b) => a.address.length - b.address.length);
  return first && { space: (first.row.of as { space: { id: string } }).space.id, address: first.address };
}

// addressOnSite is where readers find a file of a space that is on a site.
export const addressOnSite = (address: string, file: { id: string; name: string }): string =>
  `${address.replace(/\/$/, "")}/~/files/${encodeURIComponent(file.id)}/${encodeURIComponent(file.name)}`;
