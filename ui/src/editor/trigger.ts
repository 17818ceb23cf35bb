// Typing that opens a list: "[[" for pages, "@" for people and pages, ":" for emoji. What it shows is TriggerMenu.tsx,
// which takes the keys while it is open.
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
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
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - longest), $from.parentOffset, null, "\ufffc");
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(before);
    if (!match) continue;
    const sign = kind === "page" ? 2 : 1;
    return { kind, from: $from.pos - match[1]!.length - sign, to: $from.pos, query: match[1]! };
  }
  return null;
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
        const begins = tr.docChanged && !tr.getMeta("history$") && !tr.getMeta("paste") && !tr.getMeta("received") && now.query.length === least;
        return goesOn || begins ? now : null;
      },
    },
    props: {
      handleKeyDown: (view, event) => !event.isComposing && (around(view).onKey?.(event) ?? false),
    },
  });
}
