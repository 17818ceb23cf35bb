// What is in a line of text: marks, links, mentions, formulas.
import { type ReactNode, useEffect, useRef } from "react";
import { drawFormula } from "../editor/views/katex";
import { charactersOf } from "../look/characters";
import { Glyph } from "../look/Glyph";
import styles from "./Document.module.css";
import { type DocumentNode, type Leaf, oneOf, type Ref, refOf, text } from "./node";
import { Picture } from "./Picture";
import { useNamed } from "./place";

const tags: Record<string, "strong" | "em" | "code" | "s" | "kbd" | "sup" | "sub"> = {
  bold: "strong",
  italic: "em",
  code: "code",
  strikethrough: "s",
  keyboard: "kbd",
  superscript: "sup",
  subscript: "sub",
};

const colours = [
  "green",
  "blue",
  "red",
  "orange",
  "yellow",
  "purple",
  "pink",
  "violet",
  "cyan",
  "primary",
  "info",
  "success",
  "warning",
  "danger",
  "tint",
];
export const colour = (prefix: string, name: string | undefined) =>
  oneOf(prefix, (name ?? "").replace("$", ""), ...colours);

// Words is a stretch of text with its marks.
export function Words({ leaf }: { leaf: Leaf }) {
  return (leaf.marks ?? []).reduceRight<ReactNode>((inner, mark) => {
    const Tag = tags[mark.type];
    if (Tag) return <Tag>{inner}</Tag>;
    const background = colour("background-", mark.data?.background);
    const front = colour("color-", mark.data?.text);
    if (background) return <mark className={`${background} ${front}`}>{inner}</mark>;
    return front ? <span className={front}>{inner}</span> : inner;
  }, leaf.text);
}

// Sign is the emoji or icon of something.
export function Sign({
  icon,
  emoji,
  otherwise = "",
}: {
  icon: string | undefined;
  emoji?: string | undefined;
  otherwise?: string;
}) {
  if (emoji) return <span className="emoji">{emoji}</span>;
  const name = icon ?? otherwise;
  return name ? <Glyph name={name} className="icon" /> : null;
}

// Mention is what a reference leads to, in a line.
export function Mention({ to }: { to: Ref | undefined }) {
  const { title, icon, emoji } = useNamed(to);
  return (
    <span className="mention">
      <Sign icon={icon} emoji={emoji} />
      {title}
    </span>
  );
}

function LinkFrame({ node, children }: { node: DocumentNode; children: ReactNode }) {
  const to = refOf(node);
  const { title } = useNamed(to);
  return (
    <span className={to?.kind === "url" ? "link link-external" : "link"} title={title}>
      {children}
    </span>
  );
}

// Formula is drawn by the script of published pages; until that is there its source shows.
export function Formula({ tex, block }: { tex: string; block: boolean }) {
  const place = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (place.current) drawFormula(place.current, tex, block, () => undefined);
  }, [tex, block]);
  return block ? (
    <div className="block-math math" ref={(node) => void (place.current = node)} />
  ) : (
    <span className="math" ref={(node) => void (place.current = node)} />
  );
}

// InlineFrame is an inline node around what is in it, undefined for one that is none.
export function inlineFrame(node: DocumentNode, children: ReactNode): ReactNode | undefined {
  switch (node.type) {
    case "link":
      return <LinkFrame node={node}>{children}</LinkFrame>;
    case "mention":
      return <Mention to={refOf(node)} />;
    case "emoji":
      return <span className="emoji">{charactersOf(text(node, "code"))}</span>;
    case "icon":
      return (
        <span className={colour("color-", text(node, "color"))}>
          <Sign icon={text(node, "icon")} />
        </span>
      );
    case "inline-math":
      return <Formula tex={text(node, "formula")} block={false} />;
    case "inline-image":
      return (
        <Picture
          source={refOf(node)}
          alt={text(node, "alt")}
          className={text(node, "size") === "line" ? "inline-image image-line" : "inline-image"}
        />
      );
    case "expression":
      return <code className="expression">{text(node, "expression")}</code>;
    case "button": {
      const kind = oneOf("button-", text(node, "kind"), "primary", "secondary") || "button-primary";
      return (
        <span className={`button button-medium ${kind}`}>
          <Sign icon={text(node, "icon")} />
          <span>{text(node, "label")}</span>
        </span>
      );
    }
    case "annotation":
      return <span className="annotation">{children}</span>;
    case "annotation-body":
      return <span className={styles.note}>{children}</span>;
    case "raw-inline":
      return <code className={styles.raw}>{text(node, "source")}</code>;
  }
  return undefined;
}
