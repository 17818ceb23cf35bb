// The script that draws formulas: the one that published sites load, loaded with the first formula.

interface Katex {
  render(tex: string, place: HTMLElement, options: Record<string, unknown>): void;
}

const address = (file: string) => `/-/drawing/${file}`;

let loaded: Katex | null = null;
let loading: Promise<Katex> | null = null;

function added<K extends "script" | "link">(tag: K, set: (node: HTMLElementTagNameMap[K]) => void): Promise<void> {
  const node = document.createElement(tag);
  set(node);
  return new Promise((done, failed) => {
    node.addEventListener("load", () => done());
    node.addEventListener("error", () => {
      node.remove();
      failed(new Error(`no ${tag}`));
    });
    document.head.append(node);
  });
}

function katex(): Promise<Katex> {
  loading ??= Promise.all([
    added("script", (node) => (node.src = address("katex.js"))),
    added("link", (node) => {
      node.rel = "stylesheet";
      node.href = address("katex.css");
    }),
  ]).then(
    () => (loaded = (globalThis as unknown as { katex: Katex }).katex),
    (failure: unknown) => {
      // The next formula tries again.
      loading = null;
      throw failure;
    },
  );
  return loading;
}

// Drawn says what came of drawing: "" when it went well, what is wrong with the formula, or null when the script is not
// to be had.
export type Drawn = string | null;

// drawFormula draws a formula in a place that holds nothing else. said is called with what came of it, at once where
// the script is there already. Formulas that are wrong, or cannot be drawn, stay readable as they are written.
export function drawFormula(place: HTMLElement, tex: string, block: boolean, said: (drawn: Drawn) => void): void {
  place.dataset["tex"] = tex;
  const draw = (script: Katex) => {
    // Another formula has come in the meantime.
    if (place.dataset["tex"] !== tex) return;
    const drawn = document.createElement("span");
    try {
      script.render(tex, drawn, { displayMode: block, throwOnError: true, trust: false, maxExpand: 500, maxSize: 20 });
      place.replaceChildren(...drawn.childNodes);
      said("");
    } catch (fault) {
      place.replaceChildren(source(tex));
      said(String((fault as Error).message).replace(/^KaTeX parse error: /, ""));
    }
  };
  if (loaded) return draw(loaded);
  place.replaceChildren(source(tex));
  katex().then(draw, () => said(null));
}

function source(tex: string): HTMLElement {
  const code = document.createElement("code");
  code.className = "math-source";
  code.textContent = tex;
  return code;
}
