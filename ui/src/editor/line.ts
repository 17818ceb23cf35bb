// The line to go on with below a last block that nothing can be typed into. It is a filler: it is not written before it
// holds something. Nothing here needs a browser.
import type { Node } from "@tiptap/pm/model";

// needsLine reports whether a document ends with a block that nothing can be typed into.
export const needsLine = (doc: Node): boolean =>
  doc.lastChild !== null && !/^(paragraph|heading\d)$/.test(doc.lastChild.type.name);

// lineOf returns such a line.
export const lineOf = (doc: Node): Node => doc.type.schema.nodes["paragraph"]!.create({ filler: true });

// withLine returns a document with the line that it needs.
export const withLine = (doc: Node): Node => (needsLine(doc) ? doc.copy(doc.content.addToEnd(lineOf(doc))) : doc);
