// Faults of Markdown by line and column, as CodeMirror marks them.
import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";

export interface Place {
  line: number;
  // In characters, from 1.
  column: number;
}

export interface Fault {
  severity: "error" | "warning" | "info";
  message: string;
  from: Place;
  to: Place;
}

// Read is what the server read in a text.
export interface Read {
  // lines are those at which the blocks of the document begin.
  lines: number[];
  faults: Fault[];
}

// offsetOf returns where a place is in a text, the nearest one for a place that is not there any more.
export function offsetOf(text: Text, { line, column }: Place): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  let at = 0;
  for (let left = column - 1; left > 0 && at < found.length; left--) at += found.text.codePointAt(at)! > 0xffff ? 2 : 1;
  return found.from + at;
}

export function diagnosticsOf(text: Text, faults: readonly Fault[]): Diagnostic[] {
  return faults.map(({ severity, message, from, to }) => {
    const start = offsetOf(text, from);
    return { severity, message, from: start, to: Math.max(start, offsetOf(text, to)) };
  });
}
