// Typing that opens a list: "[[" for pages, "@" for people and pages, ":" for emoji. What it shows is TriggerMenu.tsx,
// which takes the keys while it is open.
import { closeHistory } from "@tiptap/pm/history";
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { around } from "./panels";

export interface Trigger {
  kind: "page" | "mention" | "emoji";
  // from is where the sign stands.
  from: number;
  to: number;
  query: string;
}

export const triggerKey = new PluginKey<Trigger | null>("trigger");

const longest = 80;

const patterns: [Trigger["kind"], RegExp][] = [
  ["page", /\[\[([^[\]\n\ufffc]*)$/],
  // A name may have spaces; an address of mail has a word right before.
  ["mention", /(?:^|[\s(])@([^@\n\ufffc]*)$/],
  ["emoji", /(?:^|[\s(\ufffc]):([a-z0-9_+][a-z0-9_+-]+)$/i],
];

function sought(state: EditorState): Trigger | null {
  const { $from, empty } = state.selection;
  if (!empty || !$from.parent.inlineContent || $from.parent.type.spec.code || $from.depth === 0) return null;
  if ($from.marks().some((mark) => mark.type.name === "code")) return null;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - longest),
    $from.parentOffset,
    null,
    "\ufffc",
  );
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(before);
    if (!match) continue;
    const sign = kind === "page" ? 2 : 1;
    return { kind, from: $from.pos - match[1]!.length - sign, to: $from.pos, query: match[1]! };
  }
  return null;
}

// complete makes an emoji of its whole short code, as in ":tada:", once the list of them is there. What is none, or
// comes while the list cannot be had, stays as it was typed.
async function complete(view: EditorView, name: string) {
  const { emojis } = await import("./emoji").catch(() => ({ emojis: [] }));
  const found = emojis.find(({ names }) => names.includes(name.toLowerCase()));
  if (!found || view.isDestroyed) return;
  // Typing has gone on meanwhile.
  const { $from } = view.state.selection;
  const code = `:${name}:`;
  const at = $from.parent.inlineContent
    ? $from.parent.textBetween(0, $from.parentOffset, null, "\ufffc").lastIndexOf(code)
    : -1;
  const from = $from.start() + at;
  if (at < 0 || $from.parent.type.spec.code || view.state.doc.textBetween(from, from + code.length) !== code) return;
  view.dispatch(
    closeHistory(view.state.tr).replaceWith(
      from,
      from + code.length,
      view.state.schema.nodes["emoji"]!.create({ data: { code: found.code } }),
    ),
  );
}

export function triggers(): Plugin<Trigger | null> {
  return new Plugin<Trigger | null>({
    key: triggerKey,
    state: {
      init: () => null,
      apply(tr, before, _old, state): Trigger | null {
        if (tr.getMeta(triggerKey) === "close") return null;
        if (!tr.docChanged && !tr.selectionSet) return before;
        const now = sought(state);
        if (!now) return null;
        // It opens when the sign is typed, and not again when the cursor comes by.
        const goesOn = before?.kind === now.kind && tr.mapping.map(before.from) === now.from;
        const least = now.kind === "emoji" ? 2 : 0;
        const begins =
          tr.docChanged &&
          !tr.getMeta("history$") &&
          !tr.getMeta("paste") &&
          !tr.getMeta("received") &&
          now.query.length === least;
        return goesOn || begins ? now : null;
      },
    },
    props: {
      handleTextInput(view, from, to, text) {
        const open = triggerKey.getState(view.state);
        if (text !== ":" || open?.kind !== "emoji" || open.to !== from) return false;
        view.dispatch(view.state.tr.insertText(text, from, to).scrollIntoView());
        void complete(view, open.query);
        return true;
      },
      handleKeyDown: (view, event) => !event.isComposing && (around(view).onKey?.(event) ?? false),
    },
  });
}
