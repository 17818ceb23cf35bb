// What is said about a table, such as what its cells could not hold. It stays until the next change.
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

export const noteKey = new PluginKey<string>("table-note");

export const noting = (): Plugin<string> =>
  new Plugin<string>({
    key: noteKey,
    state: {
      init: () => "",
      apply: (tr, before) => (tr.getMeta(noteKey) as string | undefined) ?? (tr.docChanged ? "" : before),
    },
  });

export const say = (view: EditorView, text: string): void => view.dispatch(view.state.tr.setMeta(noteKey, text));
