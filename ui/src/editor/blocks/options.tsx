// The one list of forms with the options of a kind of block. A form stands beside its block, and what is chosen is in
// the document at once. To give another kind a form, put a row here.
import type { Node } from "@tiptap/pm/model";
import type { EditorView } from "@tiptap/pm/view";
import { type ComponentType, lazy, type LazyExoticComponent, Suspense } from "react";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import { around } from "../panels";
import { kindName } from "./kinds";
import { domOf } from "./place";
import { track, type Tracked } from "./track";

export interface FormProps {
  view: EditorView;
  // at is where the block is now, whatever is typed before it.
  at: Tracked;
  close: () => void;
}

type Form = LazyExoticComponent<ComponentType<FormProps>>;
const forms = () => import("./forms");

const rows: Record<string, Form> = {
  paragraph: lazy(() => forms().then(({ AlignForm }) => ({ default: AlignForm }))),
  heading1: lazy(() => forms().then(({ HeadingForm }) => ({ default: HeadingForm }))),
  hint: lazy(() => forms().then(({ HintForm }) => ({ default: HintForm }))),
  codeBlock: lazy(() => forms().then(({ CodeForm }) => ({ default: CodeForm }))),
  listOrdered: lazy(() => forms().then(({ ListForm }) => ({ default: ListForm }))),
  expandable: lazy(() => forms().then(({ ExpandableForm }) => ({ default: ExpandableForm }))),
  tab: lazy(() => forms().then(({ TabForm }) => ({ default: TabForm }))),
  columns: lazy(() => forms().then(({ ColumnsForm }) => ({ default: ColumnsForm }))),
};
rows["heading2"] = rows["heading3"] = rows["heading1"]!;

// optionsOf returns the form of a block, undefined for one without options.
export const optionsOf = (node: Node): Form | undefined => rows[node.type.name];

// openOptions opens the form of the block at a place, beside an element of it or the whole block.
export function openOptions(view: EditorView, pos: number, beside?: HTMLElement): void {
  const node = view.state.doc.nodeAt(pos);
  const Form = node && optionsOf(node);
  if (!Form) return;
  const at = track(view, pos);
  around(view).panels.open({
    label: t("blocks.options", { kind: kindName(node) }),
    anchor: () => {
      const element = beside?.isConnected ? beside : at.pos === null ? null : domOf(view, at.pos);
      return (element ?? view.dom).getBoundingClientRect();
    },
    body: (close) => (
      <Suspense fallback={<Skeleton lines={3} />}>
        <Form view={view} at={at} close={close} />
      </Suspense>
    ),
  });
}
