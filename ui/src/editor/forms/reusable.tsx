// What is done with reusable contents: put in, changed everywhere, taken out into the page, and made of what is
// selected.
import { lazy, Suspense } from "react";
import { Selection } from "@tiptap/pm/state";
import type { Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import { track } from "../blocks/track";
import { selectedRange } from "../blocks/units";
import { type as typeOf } from "../commands";
import { readDocument, writeDocument } from "../convert";
import { around, atSelection } from "../panels";
import { schema } from "../schema";
import type { Ref } from "../services";
import type { GetPos } from "../views/parts";
import styles from "./Forms.module.css";
import { titleOf } from "./title";

const ReusablePicker = lazy(async () => ({ default: (await import("./ReusablePicker")).ReusablePicker }));
const ReusableEditor = lazy(async () => ({ default: (await import("./ReusableEditor")).ReusableEditor }));
const ReusableMaker = lazy(async () => ({ default: (await import("./ReusableMaker")).ReusableMaker }));

const reference = (id: string) =>
  typeOf("reusable").create({ data: { ref: { kind: "reusable-content", reusableContent: id } } });

// pickReusable asks which reusable content comes where the cursor is.
export const pickReusable: Command = (state, dispatch, view) => {
  if (!view || !state.selection.$from.parent.isTextblock) return false;
  if (!dispatch) return true;
  const { panels, services } = around(view);
  const choose = (id: string) => {
    const { $from } = view.state.selection;
    const empty = $from.parent.content.size === 0 && $from.parent.type.name === "paragraph";
    const [from, to] = empty ? [$from.before(), $from.after()] : [$from.after(), $from.after()];
    const tr = view.state.tr.replaceWith(from, to, reference(id));
    if (!tr.doc.resolve(from + 1).nodeAfter) tr.insert(from + 1, typeOf("paragraph").create());
    view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(from + 1))).scrollIntoView());
  };
  // After the menu that it was chosen in has given the focus back.
  queueMicrotask(() =>
    panels.open({
      label: t("editor.reusable"),
      anchor: atSelection(view),
      body: (close) => (
        <Suspense fallback={<Skeleton lines={3} />}>
          <ReusablePicker
            services={services}
            onCancel={close}
            onChoose={(id) => {
              close();
              choose(id);
            }}
          />
        </Suspense>
      ),
    }),
  );
  return true;
};

function at(view: EditorView, getPos: GetPos): { pos: number; ref: Ref; size: number } | null {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  return pos === undefined || !node
    ? null
    : { pos, size: node.nodeSize, ref: ((node.attrs["data"] as { ref?: Ref }).ref ?? {}) as Ref };
}

// editReusable opens the text of a reusable content. It is saved wherever it stands.
export function editReusable(view: EditorView, getPos: GetPos): void {
  const found = at(view, getPos);
  if (!found?.ref.reusableContent || found.ref.space || !view.editable) return;
  const { panels, services } = around(view);
  const dom = view.nodeDOM(found.pos) as HTMLElement;
  panels.open({
    label: t("editor.reusable.edit"),
    anchor: () => dom.getBoundingClientRect(),
    body: (close) => (
      <div className={styles.wide}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <ReusableEditor
            id={found.ref.reusableContent!}
            services={services}
            onDone={() => {
              close();
              refresh(view);
            }}
          />
        </Suspense>
      </div>
    ),
  });
}

// refresh draws the reusable contents of the page anew.
function refresh(view: EditorView): void {
  view.state.doc.descendants((node, pos) => {
    if (node.type.name === "reusable") view.nodeDOM(pos)?.dispatchEvent(new CustomEvent("editor-refresh"));
    return !node.isTextblock;
  });
}

// detach puts what a reusable content holds into its place. What is done to it afterwards is done here alone.
export async function detach(view: EditorView, getPos: GetPos): Promise<void> {
  const id = at(view, getPos)?.ref.reusableContent;
  if (!id) return;
  const content = await around(view).services.reusable(id);
  const found = at(view, getPos);
  if (!content || found?.ref.reusableContent !== id) return;
  const tr = view.state.tr.replaceWith(found.pos, found.pos + found.size, readDocument(content.document).children);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(found.pos))).scrollIntoView());
  view.focus();
}

// makeReusable asks for a title and makes a reusable content of the selected blocks, which it takes the place of.
export const makeReusable: Command = (state, dispatch, view) => {
  const range = selectedRange(state);
  if (!range) return false;
  const { from: start, to: end } = range;
  const slice = state.doc.slice(start, end);
  if (!slice.content.firstChild?.type.isInGroup("block") || slice.openStart > 0 || slice.openEnd > 0) return false;
  if (!dispatch || !view) return true;
  const { panels, services } = around(view);
  const first = track(view, start);
  const count = slice.content.childCount;
  // chosen are the blocks as they are now: others may write in them, or above, while a title is thought of.
  const chosen = () => {
    if (first.pos === null) return null;
    const $first = view.state.doc.resolve(first.pos);
    const last = Math.min($first.index() + count, $first.parent.childCount);
    return {
      from: first.pos,
      to: $first.posAtIndex(last),
      content: $first.parent.content.cut($first.parentOffset, $first.posAtIndex(last) - $first.start()),
    };
  };
  const make = async (title: string) => {
    const before = chosen();
    if (!before) throw new Error(title);
    const document = writeDocument(schema.nodes["doc"]!.create({ data: { schemaVersion: 2 } }, before.content));
    const made = await services.createReusable(title, document);
    const now = chosen();
    // Only what was taken goes: whoever has typed there meanwhile keeps it.
    if (now?.content.eq(before.content))
      view.dispatch(view.state.tr.replaceWith(now.from, now.to, reference(made.id)).scrollIntoView());
  };
  queueMicrotask(() =>
    panels.open({
      label: t("editor.reusable.make"),
      anchor: atSelection(view),
      body: (close) => (
        <div className={styles.form}>
          <Suspense fallback={<Skeleton lines={2} />}>
            <ReusableMaker first={titleOf(slice.content.firstChild!)} make={make} onDone={close} />
          </Suspense>
        </div>
      ),
    }),
  );
  return true;
};
