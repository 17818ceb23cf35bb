// Code in the colours that readers see.
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { Token } from "../code/highlight";
import { type JsonNode, plainText } from "../editor/document";
import styles from "./Document.module.css";
import { type DocumentNode, text } from "./node";

type Tools = { tokens: (text: string, syntax: string) => Token[] };

let known: Tools | null = null;

// useTools returns what colours code in a language once it is loaded, null as long as there is nothing to colour with.
function useTools(syntax: string): Tools | null {
  const [ready, setReady] = useState("");
  useEffect(() => {
    let gone = false;
    if (syntax === "") return;
    void Promise.all([import("../code/highlight"), import("../code/languages")]).then(
      async ([tools, { load }]) => {
        await load(syntax);
        known = tools;
        if (!gone) setReady(syntax);
      },
      // Code is readable without colours.
      () => undefined,
    );
    return () => void (gone = true);
  }, [syntax]);
  return ready === syntax && syntax !== "" ? known : null;
}

// Syntax is the language of the code around a line.
const Syntax = createContext("");

// CodeFrame is a block of code around its lines.
export function CodeFrame({ node, children }: { node: DocumentNode; children: ReactNode }) {
  const syntax = text(node, "syntax");
  const head = text(node, "title") || syntax;
  return (
    <Syntax value={syntax}>
      <div className="block-code code-wrap">
        {head && <div className="code-title">{head}</div>}
        <div className={`chroma ${styles.lines}`} dir="ltr">
          {children}
        </div>
      </div>
    </Syntax>
  );
}

const wordsOf = (node: DocumentNode) => plainText(node as JsonNode);
const plain = (node: DocumentNode) => (node.nodes ?? []).every((each) => each.object === "text");

// Code is a whole block, whose lines are coloured together.
export function Code({ node, draw }: { node: DocumentNode; draw: (line: DocumentNode) => ReactNode }) {
  const lines = node.nodes ?? [];
  const syntax = text(node, "syntax");
  const tools = useTools(syntax);
  const whole = lines.map(wordsOf);
  const tokens = tools?.tokens(whole.join("\n"), syntax) ?? [];
  let from = 0;
  return (
    <CodeFrame node={node}>
      {lines.map((line, index) => {
        const words = whole[index] ?? "";
        const start = from;
        from += words.length + 1;
        return (
          <LineFrame key={index} node={line}>
            {plain(line)
              ? coloured(words, start, tokens)
              : line.nodes?.map((each, at) => <span key={at}>{draw(each)}</span>)}
          </LineFrame>
        );
      })}
    </CodeFrame>
  );
}

// Line is a line by itself, beside others that were changed.
export function Line({ node, children }: { node: DocumentNode; children: ReactNode }) {
  const syntax = useContext(Syntax);
  const tools = useTools(syntax);
  const words = wordsOf(node);
  return (
    <LineFrame node={node}>
      {plain(node) && tools ? coloured(words, 0, tools.tokens(words, syntax)) : children}
    </LineFrame>
  );
}

// LineFrame is a line around what is in it.
export function LineFrame({ node, children }: { node: DocumentNode; children: ReactNode }) {
  return <div className={node.data?.["highlighted"] ? "line is-highlighted" : "line"}>{children}</div>;
}

// coloured returns a line that begins at a place of the text that the tokens are of.
function coloured(line: string, start: number, tokens: Token[]): ReactNode[] {
  const made: ReactNode[] = [];
  let at = 0;
  for (const { from, to, name } of tokens) {
    if (to <= start) continue;
    if (from >= start + line.length) break;
    const first = Math.max(from - start, at);
    const last = Math.min(to - start, line.length);
    if (first > at) made.push(line.slice(at, first));
    made.push(
      <span key={first} className={name}>
        {line.slice(first, last)}
      </span>,
    );
    at = last;
  }
  return [...made, line.slice(at)];
}
