// Colours for Markdown, beside those of code.
import { tagHighlighter, tags } from "@lezer/highlight";

export const markdownHighlighter = tagHighlighter([
  { tag: tags.heading, class: "md-heading" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.strikethrough, class: "md-struck" },
  { tag: [tags.link, tags.url], class: "md-link" },
  { tag: tags.monospace, class: "md-code" },
  { tag: tags.quote, class: "md-quote" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], class: "md-mark" },
]);
