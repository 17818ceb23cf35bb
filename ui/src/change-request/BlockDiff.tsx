// A block of a diff: as it was, as it is, or both with what was changed marked. The same parts are drawn by DocNode.
import { Fragment, type ReactNode } from "react";
import { t } from "../words/words";
import { DocNode, Frame } from "../document/DocNode";
import type { DocumentNode } from "../document/node";
import { aligned, CellValue, type Column } from "../document/Table";
import { Attributes } from "./Attributes";
import styles from "./DiffPage.module.css";
import type { ComparedBlock } from "./queries";

export type Side = "before" | "after" | "both";

// shows reports whether something that was changed so is on a side.
export function shows(change: string, side: Side): boolean {
  if (side === "both") return true;
  return side === "before"
    ? change !== "added" && change !== "moved-here"
    : change !== "deleted" && change !== "moved-away";
}

export function BlockDiff({ block, side }: { block: ComparedBlock; side: Side }): ReactNode {
  if (!shows(block.change, side)) return null;
  const node = ((side === "before" ? block.before : block.after) ?? block.after ?? block.before) as DocumentNode;
  const moved = block.change === "moved-away" || block.change === "moved-here";
  const other =
    node.type === "image" && side === "both" && block.change === "changed" && block.attributes?.["ref"] !== undefined;
  // Another picture is seen, and need not be named.
  const { ref, ...rest } = block.attributes ?? {};
  const named = { ...rest, ...(ref && !other ? { ref } : {}) };
  const inner = other ? (
    <Pictures before={block.before as DocumentNode} after={node} />
  ) : detailed(block) ? (
    <Frame node={node}>
      <Inside block={block} side={side} />
    </Frame>
  ) : (
    <DocNode node={node} />
  );
  return (
    <div className={styles.block} data-change={block.change}>
      {moved && <p className={styles.moved}>{t(`diff.${block.change as "moved-away" | "moved-here"}`)}</p>}
      {side !== "before" && Object.keys(named).length > 0 && <Attributes list={named} />}
      {inner}
    </div>
  );
}

// Pictures are what a picture was and what it is.
function Pictures({ before, after }: { before: DocumentNode; after: DocumentNode }) {
  return (
    <div className={styles.pictures}>
      {[before, after].map((node, index) => (
        <figure key={index} className={styles.picture}>
          <figcaption className={styles.moved}>{t(index === 0 ? "diff.before" : "diff.after")}</figcaption>
          <DocNode node={node} />
        </figure>
      ))}
    </div>
  );
}

const detailed = (block: ComparedBlock) =>
  [block.runs, block.blocks, block.fragments].some((each) => each && each.length > 0) ||
  block.table !== undefined ||
  (block.attributes !== undefined && block.change === "changed");

// Inside is what is in a changed block.
function Inside({ block, side }: { block: ComparedBlock; side: Side }) {
  return (
    <>
      {block.runs?.map((run, index) => {
        if (!shows(run.change, side)) return null;
        const nodes = ((run.nodes ?? []) as DocumentNode[]).map((node, at) => <DocNode key={at} node={node} />);
        if (run.change === "added") return <ins key={index}>{nodes}</ins>;
        if (run.change === "deleted") return <del key={index}>{nodes}</del>;
        return <Fragment key={index}>{nodes}</Fragment>;
      })}
      {block.blocks?.map((each, index) => (
        <Inner key={index} block={each} side={side} />
      ))}
      {block.table && <Table table={block.table} side={side} />}
      {block.fragments?.map((each, index) => (
        <Inner key={index} block={each} side={side} />
      ))}
    </>
  );
}

// Inner is a block within a changed one. It has a bar and a sign of its own.
function Inner({ block, side }: { block: ComparedBlock; side: Side }) {
  if (!shows(block.change, side)) return null;
  const node = (block.after ?? block.before) as DocumentNode;
  const Tag = node.type === "list-item" ? "li" : "div";
  return (
    <Tag className={styles.inner} data-change={block.change} data-type={node.type}>
      {block.change !== "same" && block.change !== "changed" && (
        <span className={styles.innerSign}>
          {block.change === "added" ? "+" : block.change === "deleted" ? "−" : "↕"}
          <span className="visually-hidden">{t(`diff.${block.change}`)}</span>
        </span>
      )}
      <BlockDiff block={block} side={side} />
    </Tag>
  );
}

function Table({ table, side }: { table: NonNullable<ComparedBlock["table"]>; side: Side }) {
  const columns = (table.columns ?? [])
    .map((column, index) => ({ ...column, index }))
    .filter((column) => shows(column.change, side));
  const definition = (column: (typeof columns)[number]) => (column.after ?? column.before ?? {}) as Column;
  return (
    <div className={`block-table ${columns.some((column) => definition(column).title) ? "" : "table-headless"}`}>
      <div className={`table-scroll ${styles.table}`} tabIndex={0} role="region" aria-label={t("diff.table")}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.index} scope="col" className={aligned(definition(column))} data-change={column.change}>
                  {definition(column).title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(table.rows ?? []).map((row, index) =>
              shows(row.change, side) ? (
                <tr key={index} data-change={row.change}>
                  {columns.map((column) => {
                    const cell = row.cells?.[column.index];
                    return (
                      <td key={column.index} className={aligned(definition(column))} data-change={cell?.change}>
                        {cell?.text ? (
                          <BlockDiff block={cell.text} side={side} />
                        ) : (
                          <Value column={definition(column)} before={cell?.before} after={cell?.after} side={side} />
                        )}
                      </td>
                    );
                  })}
                </tr>
              ) : null,
            )}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Value({ column, before, after, side }: { column: Column; before: unknown; after: unknown; side: Side }) {
  const draw = (value: unknown) => <CellValue column={column} value={value} />;
  if (JSON.stringify(before) === JSON.stringify(after)) return draw(after);
  const nothing = (value: unknown) => value === undefined || value === null;
  return (
    <>
      {side !== "after" && !nothing(before) && <del>{draw(before)}</del>}{" "}
      {side !== "before" && !nothing(after) && <ins>{draw(after)}</ins>}
    </>
  );
}
