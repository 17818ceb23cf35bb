// The blocks that integrations bring to the space of an editor. They are there a moment after the editor is.
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import { around } from "./panels";
import type { Installed } from "./services";

export const installedKey = new PluginKey<readonly Installed[]>("installed");

// installedIn lists the blocks, none while they are not known.
export const installedIn = (state: EditorState): readonly Installed[] => installedKey.getState(state) ?? [];

export function installed(): Plugin<readonly Installed[]> {
  return new Plugin<readonly Installed[]>({
    key: installedKey,
    state: {
      init: () => [],
      apply: (tr, before) => (tr.getMeta(installedKey) as readonly Installed[] | undefined) ?? before,
    },
    view(view) {
      let there = true;
      // What there is around an editor is known once it is made.
      queueMicrotask(() => {
        if (!there) return;
        const known = (list: Installed[]) =>
          there && list.length > 0 && view.dispatch(view.state.tr.setMeta(installedKey, list));
        // Without them the editor has what it has by itself.
        void around(view).services.blocks().then(known, () => undefined);
      });
      return { destroy: () => void (there = false) };
    },
  });
}

// matches reports whether an address is one that a pattern of a block names: * stands for what has no slash, ** for
// everything, and a pattern without either that ends with a slash for all below it. Who writes a pattern cannot make it
// slow.
export function matches(pattern: string, address: string): boolean {
  // A folder is all in it.
  if (pattern.endsWith("/") && !pattern.includes("*")) return matches(`${pattern}**`, address);
  const text = address.toLowerCase();
  // ends are the places up to which the pattern so far can reach.
  let ends = new Set([0]);
  for (const part of pattern.toLowerCase().match(/\*\*|\*|[^*]+/g) ?? []) {
    const next = new Set<number>();
    if (part === "**") for (let i = Math.min(...ends); i <= text.length; i++) next.add(i);
    else if (part === "*") {
      for (const end of ends) {
        for (let i = end; i <= text.length && !next.has(i); i++) {
          next.add(i);
          if (text[i] === "/") break;
        }
      }
    } else for (const end of ends) if (text.startsWith(part, end)) next.add(end + part.length);
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(text.length);
}

// matching lists the blocks that an address can become.
export const matching = (blocks: readonly Installed[], address: string): Installed[] =>
  blocks.filter(({ addresses }) => addresses.some((each) => matches(each, address)));
