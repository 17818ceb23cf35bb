// The text of a page that is read, from its HTML.
import { countWords } from "../words/count";
import type { Heading, PageText } from "./PageText";

const level = { H2: 1, H3: 2, H4: 3 } as Record<string, number>;

// articleText reads the element of a page's text, which does not change while it is shown.
export function articleText(element: HTMLElement): PageText {
  return {
    read: () => {
      const found = element.querySelectorAll<HTMLElement>(".block-heading > :is(h2, h3, h4)");
      const headings = Array.from(found, (each): Heading => ({
        level: level[each.tagName] ?? 1,
        text: wordsOf(each),
        element: () => each,
        go: () => go(each),
      }));
      const text = element.innerText;
      return { headings, words: countWords(text), characters: text.replace(/\s+/g, " ").trim().length };
    },
    subscribe: () => () => undefined,
  };
}

const wordsOf = (heading: HTMLElement) => (heading.textContent ?? "").trim();

function go(heading: HTMLElement) {
  // What is folded away is opened first.
  for (let at = heading.parentElement; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView();
}
