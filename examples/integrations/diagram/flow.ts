// Reads lines such as "Draft -> Review: ask" and draws them as SVG.

export type Arrow = { from: string; to: string; label: string };
export type Flow = { boxes: string[]; arrows: Arrow[] };

const most = 40; // boxes, and characters of each text

/** Reads a flow; a line that is none is an error with its number. */
export function read(text: string): Flow {
  const boxes: string[] = [];
  const arrows: Arrow[] = [];
  const box = (name: string) => {
    const cut = name.trim().slice(0, most);
    if (!boxes.includes(cut)) boxes.push(cut);
    return cut;
  };
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const found = /^([^:]+?)->([^:]+)(?::(.*))?$/.exec(line);
    if (!found || found[1].trim() === "" || found[2].trim() === "") {
      throw new Error("Line " + (index + 1) + " is no arrow: write A -> B, or A -> B: label.");
    }
    arrows.push({ from: box(found[1]), to: box(found[2]), label: (found[3] ?? "").trim().slice(0, most) });
  });
  if (boxes.length > most) throw new Error("There are more than " + most + " boxes.");
  return { boxes, arrows };
}

/** Says in words what a flow shows. */
export const words = ({ arrows }: Flow) =>
  arrows.map(({ from, to, label }) => from + " leads to " + to + (label ? " (" + label + ")" : "")).join(", ") + ".";

/** The row of each box: one below the lowest that leads to it, and no lower for a circle. */
function rows({ boxes, arrows }: Flow): Map<string, number> {
  const row = new Map(boxes.map((name) => [name, 0]));
  for (let pass = 0; pass < boxes.length; pass++) {
    for (const { from, to } of arrows) {
      const next = Math.min(row.get(from)! + 1, boxes.length - 1);
      if (boxes.indexOf(to) > boxes.indexOf(from) && next > row.get(to)!) row.set(to, next);
    }
  }
  return row;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");

/** Draws a flow. Colours stay readable on light and dark pages. */
export function draw(flow: Flow): { svg: string; width: number; height: number } {
  const row = rows(flow);
  const filled = new Map<number, number>();
  const width = Math.max(90, ...flow.boxes.map((name) => name.length * 9 + 32));
  const [height, gapX, gapY] = [40, 40, 64];
  const at = new Map<string, { x: number; y: number }>();
  for (const name of flow.boxes) {
    const line = row.get(name)!;
    const place = filled.get(line) ?? 0;
    filled.set(line, place + 1);
    at.set(name, { x: 10 + place * (width + gapX), y: 10 + line * (height + gapY) });
  }
  const all = [...at.values()];
  const total = {
    width: Math.max(...all.map(({ x }) => x)) + width + 10,
    height: Math.max(...all.map(({ y }) => y)) + height + 10,
  };
  const lines = flow.arrows.map(({ from, to, label }) => {
    const [a, b] = [at.get(from)!, at.get(to)!];
    const down = b.y > a.y;
    const [x1, y1] = [a.x + width / 2, down ? a.y + height : a.y];
    const [x2, y2] = [b.x + width / 2, down ? b.y - 3 : b.y + height + 3];
    const text = label && `<text x="${(x1 + x2) / 2 + 6}" y="${(y1 + y2) / 2}" fill="#64748b">${escape(label)}</text>`;
    return `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#64748b" fill="none" marker-end="url(#tip)"/>${text}`;
  });
  const boxes = flow.boxes.map((name) => {
    const { x, y } = at.get(name)!;
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="#e0e7ff" stroke="#4f46e5"/>` +
      `<text x="${x + width / 2}" y="${y + 25}" text-anchor="middle" fill="#1e1b4b">${escape(name)}</text>`;
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total.width} ${total.height}" font-family="sans-serif" font-size="14">` +
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>' +
    lines.join("") + boxes.join("") + "</svg>";
  return { svg, ...total };
}
