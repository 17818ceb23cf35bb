// How a page is written, as its address says it: as text, or as Markdown.
export type Mode = "rich" | "source";

// validMode reads the query of an address.
export function validMode(search: Record<string, unknown>): { mode?: "source" } {
  return search["mode"] === "source" ? { mode: "source" } : {};
}
