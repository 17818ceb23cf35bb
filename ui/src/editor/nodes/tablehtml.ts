// Tables of others: what a table of HTML, of a spreadsheet or of a word processor is here. The first row names the
// columns, as every table of Markdown has it.
import { DOMParser, Fragment, type Node, type Schema } from "@tiptap/pm/model";

// The most columns and cells that the program takes.
export const mostColumns = 100;
export const mostCells = 10_000;

const spanOf = (cell: Element, name: string) =>
  Math.min(Math.max(Number.parseInt(cell.getAttribute(name) ?? "1", 10) || 1, 1), 50);

// foreignRows returns the rows of a table element.
export function foreignRows(dom: globalThis.Node, schema: Schema): Fragment {
  const rows = [...(dom as HTMLTableElement).querySelectorAll("tr")].filter(
    (row) => row.closest("table") === dom && row.children.length > 0,
  );
  const parser = DOMParser.fromSchema(schema);
  const cellsOf = (row: Element) => [...row.children].filter((cell) => /^t[dh]$/i.test(cell.tagName));
  const until: number[] = [];
  const placed = rows.map((row, r) => {
    let column = 0;
    return cellsOf(row).flatMap((cell) => {
      while ((until[column] ?? 0) > r) column++;
      const at = column;
      // The titles are a row of their own, which no cell reaches into.
      const colspan = Math.max(Math.min(r === 0 ? 1 : spanOf(cell, "colspan"), mostColumns - at), 1);
      const rowspan = Math.min(r === 0 ? 1 : spanOf(cell, "rowspan"), rows.length - r);
      for (let i = 0; i < colspan; i++) until[at + i] = r + rowspan;
      column += colspan + (r === 0 ? spanOf(cell, "colspan") - 1 : 0);
      return at < mostColumns ? [{ cell, column: at, colspan, rowspan }] : [];
    });
  });
  const width = Math.min(Math.max(1, ...placed.flat().map(({ column, colspan }) => column + colspan)), mostColumns);
  const { tableHead, tableTitle, tableRow, tableCell, paragraph } = schema.nodes;
  const title = (cell?: Element): Node => {
    const textAlignment = /^(center|right)$/.exec(cell?.getAttribute("align") ?? "")?.[0] ?? "left";
    const topNode = tableTitle!.create({ column: { type: "text", textAlignment } });
    return cell ? parser.parse(cell, { topNode }) : topNode;
  };
  const head = tableHead!.create(
    null,
    Array.from({ length: width }, (_, i) => title(placed[0]?.find(({ column }) => column === i)?.cell)),
  );
  const body = placed.slice(1, Math.floor(mostCells / width) + 1).map((cells) =>
    tableRow!.create(
      null,
      cells.map(({ cell, colspan, rowspan }) => {
        const content = parser.parse(cell, { topNode: tableCell!.create() }).content;
        return tableCell!.create(
          { colspan, rowspan },
          content.size > 0 ? content : paragraph!.create({ filler: true }),
        );
      }),
    ),
  );
  return Fragment.from([head, ...body]);
}
