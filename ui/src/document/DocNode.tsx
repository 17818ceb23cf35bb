// Document JSON drawn for looking at, as readers will see it: the looks are those of published pages
// (look/article.css). There are no links to follow, nothing to edit, and nothing is folded away. What has no looks of
// its own shows its name and what it holds, so that nothing is left out of a diff.
import type { ReactNode } from "react";
import "../look/article.css";
import { day } from "../editor/views/days";
import { Code, CodeFrame, Line, LineFrame } from "./Code";
import styles from "./Document.module.css";
import { Formula, inlineFrame, Mention, Sign, Words } from "./Inlines";
import { type DocumentNode, oneOf, type Ref, refOf, text } from "./node";
import { Picture } from "./Picture";
import { useNamed } from "./place";
import { t } from "../words/words";
import { Table } from "./Table";

export type { DocumentNode } from "./node";

// Doc is blocks as they stand on a page.
export function Doc({ nodes }: { nodes: DocumentNode[] }) {
  return (
    <div className={`article prose ${styles.doc}`}>
      {nodes.map((node, index) => (
        <DocNode key={index} node={node} />
      ))}
    </div>
  );
}

export function DocNode({ node }: { node: DocumentNode }): ReactNode {
  if (node.object === "text") return node.leaves?.map((leaf, index) => <Words key={index} leaf={leaf} />);
  if (node.type === "table") return <Table node={node} draw={drawn} />;
  if (node.type === "code") return <Code node={node} draw={drawn} />;
  const inner = [...(node.nodes ?? []), ...(node.fragments ?? [])].map((child, index) =>
    child.type === "list-item" ? (
      <li key={index}>
        <DocNode node={child} />
      </li>
    ) : (
      <DocNode key={index} node={child} />
    ),
  );
  return node.type === "code-line" ? <Line node={node}>{inner}</Line> : <Frame node={node}>{inner}</Frame>;
}

const drawn = (node: DocumentNode) => <DocNode node={node} />;

const hints: Record<string, [string, string]> = {
  info: ["info", "circle-info"],
  success: ["success", "circle-check"],
  warning: ["warning", "triangle-exclamation"],
  danger: ["danger", "circle-exclamation"],
};

// Frame is a node without what it holds, around what is to show in it.
export function Frame({ node, children }: { node: DocumentNode; children: ReactNode }): ReactNode {
  const inline = inlineFrame(node, children);
  if (inline !== undefined) return inline;
  switch (node.type) {
    case "paragraph":
      return <p className={oneOf("align-", text(node, "align"), "center", "end")}>{children}</p>;
    case "heading-1":
    case "heading-2":
    case "heading-3":
      // The page's own headings are no headings of the app's screen.
      return (
        <div className={`block-heading ${node.type}`}>
          <p className={styles.heading} data-level={node.type.slice(-1)}>
            {children}
          </p>
        </div>
      );
    case "list-unordered":
    case "list-tasks":
      return <ul className={`list ${node.type}`}>{children}</ul>;
    case "list-ordered":
      return (
        <ol
          className="list list-ordered"
          start={typeof node.data?.["start"] === "number" ? node.data["start"] : undefined}
        >
          {children}
        </ol>
      );
    case "list-item":
      if (typeof node.data?.["checked"] !== "boolean") return <div>{children}</div>;
      return (
        <div className={`task ${styles.task} ${node.data["checked"] ? "is-done" : ""}`}>
          <input
            type="checkbox"
            className="task-box"
            disabled
            checked={node.data["checked"]}
            readOnly
            aria-label={t(node.data["checked"] ? "diff.yes" : "diff.no")}
          />
          <div className="task-body">{children}</div>
        </div>
      );
    case "blockquote":
      return <blockquote className="block-quote">{children}</blockquote>;
    case "hint": {
      const [style, icon] = hints[text(node, "style")] ?? hints["info"]!;
      return (
        <div className={`block-hint hint-${style}`}>
          <span className="hint-icon">
            <Sign icon={text(node, "icon") || icon} />
          </span>
          <div className="hint-body">{children}</div>
        </div>
      );
    }
    case "divider":
      return <hr className={styles.divider} />;
    case "code":
      return <CodeFrame node={node}>{children}</CodeFrame>;
    case "code-line":
      return <LineFrame node={node}>{children}</LineFrame>;
    case "images":
      return (
        <div
          className={[
            "block-images",
            oneOf("align-", text(node, "align"), "left", "right"),
            node.data?.["withFrame"] ? "images-framed" : "",
          ].join(" ")}
        >
          {children}
        </div>
      );
    case "image":
      return (
        <div className={`image ${styles.image}`}>
          <Picture source={refOf(node)} alt={text(node, "alt")} />
          {children}
        </div>
      );
    case "file":
      return (
        <div className="block-file">
          <div className="file-link">
            <Sign icon="file-arrow-down" />
            <span className="file-body">
              <span className="file-name">
                <Name to={refOf(node)} />
              </span>
            </span>
          </div>
          {children}
        </div>
      );
    case "embed":
      return (
        <div className="block-embed">
          <div className="embed-link">
            <Sign icon="play" />
            <span className="embed-body">
              <span className="embed-url">{text(node, "url")}</span>
            </span>
          </div>
          {children}
        </div>
      );
    case "content-ref":
      return <Card to={refOf(node)} />;
    case "math":
      return <Formula tex={text(node, "formula")} block />;
    case "tabs":
      return <div className={styles.tabs}>{children}</div>;
    case "tabs-item":
      return (
        <div className="tab">
          <div className="tab-title">
            <Sign icon={text(node, "icon")} />
            {text(node, "title")}
          </div>
          <div className="tab-panel">{children}</div>
        </div>
      );
    case "stepper":
      return <div className="block-stepper">{children}</div>;
    case "stepper-step":
      return (
        <div className={`step ${styles.step}`}>
          <div className="step-marker">{text(node, "icon") ? <Sign icon={text(node, "icon")} /> : null}</div>
          <div className="step-body">{children}</div>
        </div>
      );
    case "columns":
      return <div className={`block-columns ${styles.columns}`}>{children}</div>;
    case "column":
      return <div className="column">{children}</div>;
    case "expandable":
      return <div className={`block-expandable ${styles.expandable}`}>{children}</div>;
    case "expandable-title":
      return (
        <div className={styles.summary}>
          <Sign icon="chevron-down" />
          <div>{children}</div>
        </div>
      );
    case "expandable-body":
      return <div className="expandable-body">{children}</div>;
    case "updates":
      return <div className={styles.updates}>{children}</div>;
    case "update":
      return (
        <div className={styles.update}>
          <div className="update-meta">
            <span className="update-date">{day(text(node, "date"), "full")}</span>
            {((node.data?.["tags"] as Ref[] | undefined) ?? []).map((tag, index) => (
              <span key={index} className="tag">
                {tag.tag}
              </span>
            ))}
          </div>
          <div className="update-body">{children}</div>
        </div>
      );
    case "prompt":
      return (
        <div className="block-prompt">
          <div className="prompt-head">
            <Sign icon={text(node, "icon") || "robot"} />
            <p className="prompt-description">{text(node, "description")}</p>
          </div>
          <div className={styles.promptBody}>{children}</div>
        </div>
      );
    case "if":
      return (
        <div className={styles.condition}>
          <p className={styles.label}>
            <code className="expression">{text(node, "expression")}</code>
          </p>
          {children}
        </div>
      );
    case "openapi-operation":
    case "openapi-webhook":
    case "swagger":
      return (
        <div className="block-openapi">
          <div className="openapi-head">
            {text(node, "method") && (
              <span
                className={`openapi-method method-${/^[a-z]+$/.exec(text(node, "method").toLowerCase())?.[0] ?? "none"}`}
              >
                {text(node, "method")}
              </span>
            )}
            <code className="openapi-path">{text(node, "path") || text(node, "name") || text(node, "title")}</code>
          </div>
          {children}
        </div>
      );
    case "raw":
      return <pre className={styles.raw}>{text(node, "source")}</pre>;
    case "table":
    case undefined:
      return children;
  }
  if (node.fragment === "caption") return <div className={styles.caption}>{children}</div>;
  if (node.object === "fragment") return children;
  return (
    <div className={styles.other}>
      <span className={styles.label}>{node.type}</span>{" "}
      {refOf(node) ? <Mention to={refOf(node)} /> : described(node.data)}
      {children}
    </div>
  );
}

function Name({ to }: { to: Ref | undefined }) {
  return useNamed(to).title;
}

// Card is a card that leads somewhere.
function Card({ to }: { to: Ref | undefined }) {
  const { title, description, icon, emoji } = useNamed(to);
  return (
    <div className="block-content-ref">
      <Sign icon={icon} emoji={emoji} otherwise={to?.kind === "url" ? "arrow-up-right" : "page"} />
      <span className="content-ref-body">
        <span className="content-ref-title">{title}</span>
        {description && <span className="content-ref-description">{description}</span>}
      </span>
    </div>
  );
}

// described writes the attributes of a node that has no looks here.
const described = (data: Record<string, unknown> | undefined) =>
  Object.values(data ?? {})
    .filter((each) => typeof each === "string" && each !== "")
    .join(" · ");
