// ViewState is a place that rich text and Markdown have in common: blocks of the document, and where they are on the
// screen.
export interface ViewState {
  // cursor is the block that the cursor is in; -1 for what is above the first.
  cursor: number;
  // top is the first block on the screen, and y how far down it begins.
  top: number;
  y: number;
}

// headerBottom is where a text begins to be seen, below the header that stays.
export function headerBottom(within: Element): number {
  const header = within.closest("main")?.parentElement?.querySelector("header");
  return header ? Math.max(0, header.getBoundingClientRect().bottom) : 0;
}

// scrollSo scrolls so that what is at one height of the screen comes to another.
export function scrollSo(from: number, to: number): void {
  window.scrollBy({ top: from - to, behavior: "instant" });
}
