// The diff of one page or reusable content: what was changed of it itself, then its body, rendered or as Markdown.
import { useState } from "react";
import { type JsonNode, plainText } from "../editor/document";
import { Banner } from "../look/Banner";
import { t } from "../words/words";
import { Attributes } from "./Attributes";
import { BlockDiff } from "./BlockDiff";
import styles from "./DiffPage.module.css";
import { folded } from "./fold";
import type { ComparedBlock, Comparison } from "./queries";

export type Mode = "unified" | "split" | "markdown";

type Props = { diff: Comparison; mode: Mode; page: boolean; reordered: boolean };

export function DiffPage({ diff, mode, page, reordered }: Props) {
  const moved = diff.changes?.find((each) => each.type === "page_moved");
  const attributes = Object.fromEntries(
    (diff.changes ?? [])
      .flatMap((each) => Object.entries(each.attributes ?? {}))
      .filter(([name]) => name !== "document" && (page || name !== "name")),
  );
  const blocks = diff.blocks ?? [];
  const changed = blocks.some((each) => each.change !== "same");
  return (
    <>
      {diff.change === "added" && <Banner kind="success">{t(page ? "diff.pageAdded" : "diff.thingAdded")}</Banner>}
      {diff.change === "deleted" && (
        <Banner kind="warning">{t(page ? "diff.pageDeleted" : "diff.thingDeleted")}</Banner>
      )}
      {moved && (
        <Banner>
          {reordered
            ? t("diff.reordered")
            : t("diff.pageMoved", {
                from: moved.parent?.before?.title ?? t("diff.top"),
                to: moved.parent?.after?.title ?? t("diff.top"),
              })}
        </Banner>
      )}
      {diff.partial && <Banner kind="warning">{t("diff.partial")}</Banner>}
      {Object.keys(attributes).length > 0 && (
        <div className={styles.fields} data-stop tabIndex={-1}>
          <Attributes list={attributes} />
        </div>
      )}
      {mode === "markdown" ? (
        <Markdown lines={diff.markdown ?? []} />
      ) : !changed && diff.change !== "same" && blocks.length > 0 ? (
        <p className={styles.quiet}>{t("diff.bodySame")}</p>
      ) : (
        <Blocks blocks={blocks} split={mode === "split"} />
      )}
    </>
  );
}

// Blocks is the body. Stretches in which nothing was changed are folded, but for the blocks beside a change.
function Blocks({ blocks, split }: { blocks: ComparedBlock[]; split: boolean }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  return (
    <div className={styles.body} data-split={split}>
      {folded(blocks).map((part) =>
        "fold" in part && !open.has(part.from) ? (
          <button
            key={part.from}
            type="button"
            className={styles.fold}
            onClick={() => setOpen(new Set(open).add(part.from))}
          >
            {t("diff.unchanged", { count: part.fold })}
          </button>
        ) : (
          blocks
            .slice(part.from, part.to)
            .map((block, index) => <Row key={part.from + index} block={block} split={split} />)
        ),
      )}
    </div>
  );
}

const signs: Record<ComparedBlock["change"], string> = {
  same: "",
  added: "+",
  deleted: "−",
  changed: "~",
  "moved-away": "↑",
  "moved-here": "↓",
};

// wordsOf are the words of a block, as a comment on it quotes them.
const wordsOf = (node: unknown) => plainText(node as JsonNode).replace(/\s+/g, " ").trim();

function Row({ block, split }: { block: ComparedBlock; split: boolean }) {
  const stop = block.change === "same" ? {} : { "data-stop": true, tabIndex: -1 };
  const { key } = (block.after ?? {}) as { key?: string };
  const named = key ? { "data-node": key, "data-words": wordsOf(block.after) } : {};
  return (
    <div className={styles.row} data-change={block.change} {...stop} {...named}>
      <span className={styles.sign} aria-hidden>
        {signs[block.change]}
      </span>
      {["added", "deleted", "changed"].includes(block.change) && (
        <span className="visually-hidden">{t(`diff.${block.change}`)}</span>
      )}
      {split ? (
        <>
          <div className={`article prose ${styles.side}`} dir="auto">
            <BlockDiff block={block} side="before" />
          </div>
          <div className={`article prose ${styles.side}`} dir="auto">
            <BlockDiff block={block} side="after" />
          </div>
        </>
      ) : (
        <div className={`article prose ${styles.side}`} dir="auto">
          <BlockDiff block={block} side="both" />
        </div>
      )}
    </div>
  );
}

function Markdown({ lines }: { lines: NonNullable<Comparison["markdown"]> }) {
  return (
    <pre className={styles.markdown} tabIndex={0} aria-label={t("diff.mode.markdown")}>
      {lines.map((run, index) => (
        <span
          key={index}
          className={styles.lines}
          data-change={run.change}
          {...(run.change === "same" ? {} : { "data-stop": true, tabIndex: -1 })}
        >
          {(run.lines ?? []).map((line, at) => (
            <span key={at} className={styles.textLine}>
              <span className={styles.sign}>{{ same: " ", added: "+", deleted: "−" }[run.change]}</span>
              {line || " "}
              {"\n"}
            </span>
          ))}
        </span>
      ))}
    </pre>
  );
}
