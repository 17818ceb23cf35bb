import { useState } from "react";
import type { EditorView } from "@tiptap/pm/view";
import type { Data } from "../../document";
import { change } from "../data";
import { nodeOf, type Tracked } from "../track";

// useData is the data of a block as a form shows it, and what changes it in the document at once.
export function useData(view: EditorView, at: Tracked): [Data, (values: Data) => void] {
  const [data, setData] = useState<Data>(() => (nodeOf(view, at)?.attrs["data"] as Data | undefined) ?? {});
  const set = (values: Data) => {
    change(view, at, values);
    setData((nodeOf(view, at)?.attrs["data"] as Data | undefined) ?? {});
  };
  return [data, set];
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
