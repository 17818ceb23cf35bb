// Tables of a document: a grid, or cards.
import { Fragment, type ReactNode } from "react";
import { t } from "../words/words";
import styles from "./Document.module.css";
import { colour, Mention } from "./Inlines";
import { type DocumentNode, oneOf, type Ref } from "./node";
import { Picture } from "./Picture";

// Column is a column of a table as the document defines it.
export type Column = {
  title?: string;
  type?: string;
  max?: number;
  textAlignment?: string;
  options?: { value: string; label: string; color: string }[];
};

type View = {
  type?: string;
  columns?: string[];
  hideHeader?: boolean;
  cardSize?: string;
  coverDefinition?: string;
  targetDefinition?: string;
  hideColumnTitle?: boolean;
};
type Data = {
  view?: View;
  records?: Record<string, { orderIndex: string; values?: Record<string, unknown> }>;
  definition?: Record<string, Column>;
};
type Draw = (node: DocumentNode) => ReactNode;

export function Table({ node, draw }: { node: DocumentNode; draw: Draw }) {
  const { view = {}, records = {}, definition = {} } = (node.data ?? {}) as Data;
  const columns = view.columns ?? Object.keys(definition);
  const rows = Object.values(records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const cell = (values: Record<string, unknown> | undefined, name: string) => {
    const value = values?.[name];
    const column = definition[name] ?? {};
    const fragment = column.type === "text" && node.fragments?.find((each) => each.fragment === value);
    return fragment ? draw(fragment) : column.type === "text" ? null : <CellValue column={column} value={value} />;
  };
  if (view.type === "cards")
    return (
      <Cards
        view={view}
        rows={rows.map(({ values }) => values)}
        columns={columns}
        definition={definition}
        cell={cell}
      />
    );
  return (
    <div className={`block-table ${view.hideHeader ? "table-headless" : ""}`}>
      <div className="table-scroll" role="group" aria-label={t("diff.table")} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className={aligned(definition[column])}>
                  {definition[column]?.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ values }, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} className={aligned(definition[column])}>
                    {cell(values, column)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

export const aligned = (column: Column | undefined) =>
  oneOf("align-", column?.textAlignment ?? "", "left", "center", "right", "end");

type CardsProps = {
  view: View;
  rows: (Record<string, unknown> | undefined)[];
  columns: string[];
  definition: Record<string, Column>;
  cell: (values: Record<string, unknown> | undefined, name: string) => ReactNode;
};

function Cards({ view, rows, columns, definition, cell }: CardsProps) {
  const { coverDefinition: cover, targetDefinition: target } = view;
  return (
    <ul className={`block-cards ${view.cardSize === "large" ? "cards-large" : "cards-medium"}`}>
      {rows.map((values, index) => {
        const image = cover ? pictureOf(values?.[cover]) : undefined;
        const to = target ? (values?.[target] as Ref | undefined) : undefined;
        return (
          <li key={index} className="card">
            {image && (
              <div className="card-cover">
                <Picture source={image.ref} alt={image.alt} />
              </div>
            )}
            <div className="card-body">
              {columns.map((column) => {
                const { title, type } = definition[column] ?? {};
                const value = values?.[column];
                if (value === undefined || value === null || value === "") return null;
                return (
                  <div key={column} className="card-field">
                    {type !== "text" && title && !view.hideColumnTitle && <span className="card-label">{title}</span>}
                    {cell(values, column)}
                  </div>
                );
              })}
              {/* Where a card leads does not show on it, and whoever reviews it wants to know. */}
              {to && (
                <div className={styles.label}>
                  → <Mention to={to} />
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

// pictureOf reads what a cell of pictures holds: a reference, or one with more about it.
function pictureOf(value: unknown): { ref: Ref; alt: string } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { ref, alt } = value as { ref?: Ref; alt?: string };
  return { ref: ref ?? (value as Ref), alt: alt ?? "" };
}

// CellValue is a value of a cell that holds no text.
export function CellValue({ column, value }: { column: Column; value: unknown }): ReactNode {
  if (value === undefined || value === null) return null;
  const all = Array.isArray(value) ? (value as unknown[]) : [value];
  const each = (draw: (one: unknown) => ReactNode) =>
    all.map((one, index) => (
      <Fragment key={index}>
        {index > 0 && " "}
        {draw(one)}
      </Fragment>
    ));
  switch (column.type) {
    case "checkbox":
      return value === true ? "☑" : "☐";
    case "rating":
      return typeof value === "number" ? (
        <span className="cell-rating" role="img" aria-label={String(value)}>
          {"★".repeat(Math.min(Math.max(Math.round(value), 0), 20))}
        </span>
      ) : null;
    case "select":
      return each((one) => {
        const option = column.options?.find((known) => known.value === one);
        return <span className={`option ${colour("color-", option?.color)}`}>{option?.label || String(one)}</span>;
      });
    case "image": {
      const image = pictureOf(value);
      return image ? <Picture source={image.ref} alt={image.alt} className="cell-image" /> : String(value);
    }
    case "users":
      return each((one) => <Mention to={{ kind: "user", user: String(one) }} />);
    case "files":
      return each((one) => (
        <Mention to={typeof one === "object" ? (one as Ref) : { kind: "file", file: String(one) }} />
      ));
  }
  if (typeof value === "object" && !Array.isArray(value)) return <Mention to={value as Ref} />;
  return String(value);
}
