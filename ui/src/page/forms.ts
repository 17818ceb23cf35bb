// The two forms in which a page is written: its title and document, or all of it as Markdown. Saving needs to know how
// what two have changed is put together, and nothing else of them.
import type { JsonDocument } from "../editor/document";
import { asSent, merged, mineFirst } from "./merge";

export interface Rich {
  title: string;
  document: JsonDocument;
}

// Headline is what of a page goes through the API while its body is written in a live session.
export interface Headline {
  title: string;
}

export interface Source {
  markdown: string;
}

export interface Form<C> {
  // merged returns mine with what theirs changed since base, null when both changed the same.
  merged(base: C, mine: C, theirs: C): C | null;
  // mineFirst is merged with what is mine where both changed the same.
  mineFirst(base: C, mine: C, theirs: C): C;
}

const titleOf = (base: Headline, mine: Headline, theirs: Headline) =>
  mine.title === base.title ? theirs.title : mine.title;

export const rich: Form<Rich> = {
  merged(base, mine, theirs) {
    const nodes = merged(base.document.nodes, mine.document.nodes, asSent(base.document.nodes, theirs.document.nodes));
    if (!nodes || (mine.title !== base.title && theirs.title !== base.title && mine.title !== theirs.title))
      return null;
    return { title: titleOf(base, mine, theirs), document: { ...mine.document, nodes } };
  },
  mineFirst(base, mine, theirs) {
    const nodes = mineFirst(
      base.document.nodes,
      mine.document.nodes,
      asSent(base.document.nodes, theirs.document.nodes),
    );
    return { title: titleOf(base, mine, theirs), document: { ...mine.document, nodes } };
  },
};

export const headline: Form<Headline> = {
  merged(base, mine, theirs) {
    if (mine.title !== base.title && theirs.title !== base.title && mine.title !== theirs.title) return null;
    return { title: titleOf(base, mine, theirs) };
  },
  mineFirst: (base, mine, theirs) => ({ title: titleOf(base, mine, theirs) }),
};

const lines = ({ markdown }: Source) => markdown.split(/(?<=\n)/);

export const source: Form<Source> = {
  merged(base, mine, theirs) {
    const found = merged(lines(base), lines(mine), lines(theirs));
    return found && { markdown: found.join("") };
  },
  mineFirst: (base, mine, theirs) => ({ markdown: mineFirst(lines(base), lines(mine), lines(theirs)).join("") }),
};
