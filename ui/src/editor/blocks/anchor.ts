// The addresses of parts of a page.
import type { Node } from "@tiptap/pm/model";
import type { Data } from "../document";

// derived is the anchor that the server makes of a heading's words.
export function derived(words: string): string {
  let id = "";
  let gap = false;
  let solid = false;
  for (const letter of words.replaceAll("…", "...").replaceAll("&", " and ")) {
    if (/[\p{L}\p{Nd}\p{M}]/u.test(letter)) solid = true;
    else if (!/[._+]/.test(letter)) {
      if (!/[?!:,;*'"`‘’“”\p{Cf}]/u.test(letter)) gap = id !== "";
      continue;
    }
    if (gap) id += "-";
    gap = false;
    const plain = letter.toLowerCase().normalize("NFD");
    id += plain.charCodeAt(0) < 0x80 ? plain[0] : letter.toLowerCase();
    if (id.length >= 100) break;
  }
  return !solid ? "" : /^\d/.test(id) ? `id-${id}` : id;
}

// anchorOf returns what a heading, an expandable section or a tab is led to with, "" for any other block.
export function anchorOf(node: Node): string {
  const set = (node.attrs["data"] as Data | undefined)?.["id"];
  if (typeof set === "string" && set) return set;
  const given = (node.attrs["meta"] as { id?: string } | null | undefined)?.id;
  if (given) return given;
  return /^heading\d$/.test(node.type.name) ? derived(node.textContent) : "";
}

// anchorBefore returns the anchor of a block, or of the last heading before it.
export function anchorBefore(doc: Node, pos: number): string {
  const node = doc.nodeAt(pos);
  let anchor = node ? anchorOf(node) : "";
  if (anchor) return anchor;
  doc.nodesBetween(0, pos, (each, at) => {
    if (at < pos && /^heading\d$/.test(each.type.name)) anchor = anchorOf(each);
    return !each.isTextblock;
  });
  return anchor;
}
