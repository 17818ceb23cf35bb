// Document JSON drawn for looking at: no links to follow, nothing to edit. What has no looks of its own shows its name
// and what it holds, so that nothing is left out of a diff.
import type { ReactNode } from "react";
import styles from "./DocNode.module.css";
import { Picture } from "./Picture";

export type DocumentNode = {
  object: string;
  type?: string;
  fragment?: string;
  data?: Record<string, unknown>;
  nodes?: DocumentNode[];
  fragments?: DocumentNode[];
  leaves?: { text: string; marks?: { type: string }[] }[];
};

export function DocNode({ node }: { node: DocumentNode }): ReactNode {
  if (node.object === "text") return node.leaves?.map((leaf, index) => <Leaf key={index} leaf={leaf} />);
  if (node.type === "table") return <Table node={node} />;
  return (
    <Frame node={node}>
      {[...(node.nodes ?? []), ...(node.fragments ?? [])].map((child, index) =>
        child.type === "list-item" ? (
          <li key={index}>
            <DocNode node={child} />
          </li>
        ) : (
          <DocNode key={index} node={child} />
        ),
      )}
    </Frame>
  );
}

const tags: Record<string, "strong" | "em" | "code" | "s" | "kbd" | "sup" | "sub"> = {
  bold: "strong", italic: "em", code: "code", strikethrough: "s", keyboard: "kbd", superscript: "sup", subscript: "sub",
};

function Leaf({ leaf }: { leaf: NonNullable<DocumentNode["leaves"]>[number] }) {
  return (leaf.marks ?? []).reduceRight<ReactNode>((inner, mark) => {
    const Tag = tags[mark.type];
    return Tag ? <Tag>{inner}</Tag> : inner;
  }, leaf.text);
}

// Frame is a node without what it holds, around what is to show in it.
export function Frame({ node, children }: { node: DocumentNode; children: ReactNode }) {
  const text = (name: string) => (typeof node.data?.[name] === "string" ? (node.data[name] as string) : "");
  switch (node.type) {
    case "paragraph":
      return <p className={styles.paragraph}>{children}</p>;
    case "heading-1":
    case "heading-2":
    case "heading-3":
      // The page's own headings are no headings of the app's screen.
      return (
        <p className={styles.heading} data-level={node.type.slice(-1)}>
          {children}
        </p>
      );
    case "list-unordered":
    case "list-tasks":
      return <ul className={styles.bullets}>{children}</ul>;
    case "list-ordered":
      return <ol className={styles.numbers}>{children}</ol>;
    case "list-item":
      return (
        <div
          className={styles.item}
          data-checked={node.data?.checked === undefined ? undefined : String(node.data.checked)}
        >
          {children}
        </div>
      );
    case "blockquote":
      return <blockquote className={styles.quote}>{children}</blockquote>;
    case "hint":
      return (
        <div className={styles.hint} data-style={text("style")}>
          {children}
        </div>
      );
    case "divider":
      return <hr className={styles.divider} />;
    case "code":
      return (
        <div className={styles.code}>
          {(text("title") || text("syntax")) && <p className={styles.label}>{text("title") || text("syntax")}</p>}
          {children}
        </div>
      );
    case "code-line":
      return <div className={styles.line}>{children}</div>;
    case "image":
      return (
        <div className={styles.image}>
          <Picture
            source={node.data?.ref as { kind?: string; file?: string; url?: string } | undefined}
            alt={text("alt")}
          />
          {children}
        </div>
      );
    case "link":
      return <span className={styles.link}>{children}</span>;
    case "emoji":
      return String.fromCodePoint(...text("code").split("-").map((part) => Number.parseInt(part, 16) || 0x25a1));
    case "inline-math":
    case "math":
      return <code>{text("formula")}</code>;
    case "expression":
    case "if":
      return (
        <span className={styles.expression}>
          <code>{text("expression")}</code>
          {children}
        </span>
      );
    case "button":
      return <span className={styles.button}>{text("label")}</span>;
    case "raw":
    case "raw-inline":
      return <code className={styles.raw}>{text("source")}</code>;
    case "stepper-step":
    case "tabs-item":
    case "column":
    case "expandable":
      return (
        <div className={styles.part}>
          {text("title") && <p className={styles.label}>{text("title")}</p>}
          {children}
        </div>
      );
    case "images":
    case "tabs":
    case "stepper":
    case "columns":
    case "updates":
    case "table":
    case undefined:
      return children;
  }
  return (
    <span className={styles.other}>
      <span className={styles.label}>{node.type}</span> {described(node.data)}
      {children}
    </span>
  );
}

// described writes the attributes of a node that has no looks here: where it leads to first.
function described(data: Record<string, unknown> | undefined): string {
  const ref = data?.ref as Record<string, string> | undefined;
  return [
    data?.alt,
    data?.url,
    ref?.url,
    ref?.file,
    ref?.page,
    ref?.reusableContent,
    data?.icon,
    data?.content,
    data?.description,
  ]
    .filter((each) => typeof each === "string" && each !== "")
    .join(" · ");
}

type TableData = {
  view?: { columns?: string[] };
  records?: Record<string, { orderIndex: string; values?: Record<string, unknown> }>;
  definition?: Record<string, { title: string; type: string }>;
};

function Table({ node }: { node: DocumentNode }) {
  const { view, records = {}, definition = {} } = (node.data ?? {}) as TableData;
  const columns = view?.columns ?? Object.keys(definition);
  const rows = Object.values(records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const cell = (value: unknown, type: string | undefined) => {
    const fragment = type === "text" && node.fragments?.find((each) => each.fragment === value);
    if (fragment) return <DocNode node={fragment} />;
    return value === undefined || value === null
      ? ""
      : typeof value === "object"
        ? described({ ref: value })
        : String(value);
  };
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {definition[column]?.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column}>{cell(row.values?.[column], definition[column]?.type)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
