// An address that is pasted alone becomes a link, over words theirs, and one of a page of the space leads to that page.
// A small list offers what else it can be; the first undo takes back what was made of it and leaves the address.
import { closeHistory } from "@tiptap/pm/history";
import { Plugin, PluginKey, type Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Key } from "../words/words";
import { addressOf } from "./address";
import { type } from "./commands";
import { installedIn, matching } from "./installed";
import { around } from "./panels";
import { schema } from "./schema";
import type { Installed, Ref } from "./services";

export interface PastedAddress {
  from: number;
  to: number;
  ref: Ref;
  // blocks are those of integrations that the address can become.
  blocks: Installed[];
  // index is the choice that Enter takes; -1 until an arrow was pressed, so that Enter goes on with the text.
  index: number;
}

export const pastedAddressKey = new PluginKey<PastedAddress | null>("pastedAddress");

export interface Become {
  id: string;
  label: Key;
  // name is that of a block of an integration.
  name?: string;
  run: Command;
}

// becomes lists what a pasted address can be instead of a link.
export function becomes({ ref, from, to, blocks }: PastedAddress): Become[] {
  const block = (name: "contentRef" | "embed" | "integration", data: object): Command => (state, dispatch) => {
    const $from = state.doc.resolve(from);
    const node = type(name).create({ data });
    const alone = $from.parent.content.size === to - from;
    const index = $from.index(-1);
    if (!$from.node(-1).canReplaceWith(alone ? index : index + 1, index + 1, node.type)) return false;
    if (!dispatch) return true;
    if (!alone) {
      const tr = state.tr.delete(from, to);
      dispatch(tr.insert(tr.mapping.map($from.after()), node));
      return true;
    }
    const tr = state.tr.replaceWith($from.before(), $from.after(), node);
    const after = $from.before() + node.nodeSize;
    if (!tr.doc.resolve(after).nodeAfter) tr.insert(after, type("paragraph").create());
    dispatch(tr.scrollIntoView());
    return true;
  };
  const mention: Command = (state, dispatch) => {
    dispatch?.(state.tr.replaceWith(from, to, type("mention").create({ data: { ref } })).scrollIntoView());
    return true;
  };
  const card: Become = { id: "card", label: "editor.pastedAddress.card", run: block("contentRef", { ref }) };
  if (ref.kind !== "url") return [{ id: "mention", label: "editor.form.mention", run: mention }, card];
  const made = blocks.map((each): Become => ({
    id: `integration-${each.integration}-${each.block}`.replace(/[^\w-]/g, "_"),
    label: "editor.raw.integration",
    name: each.title,
    run: block("integration", {
      integration: each.integration,
      block: each.block,
      props: {},
      url: ref.url,
      action: { action: "@link.unfurl", url: ref.url },
    }),
  }));
  return [...made, { id: "embed", label: "editor.raw.embed", run: block("embed", { url: ref.url }) }, card];
}

// become makes of the pasted address what was chosen.
export function become(view: EditorView, chosen: Become): void {
  view.dispatch(view.state.tr.setMeta(pastedAddressKey, "close"));
  chosen.run(view.state, (tr) => view.dispatch(closeHistory(tr)), view);
  view.focus();
}

function paste(view: EditorView, url: string): void {
  const { services } = around(view);
  const { from, to, empty, $from, $to } = view.state.selection;
  const ref = services.refOf(url) ?? { kind: "url", url };
  const link = schema.marks["link"]!.create({ data: { ref } });
  if (!empty && $from.sameParent($to)) {
    view.dispatch(view.state.tr.removeMark(from, to, link.type).addMark(from, to, link));
    return;
  }
  view.dispatch(closeHistory(view.state.tr.insertText(url).setMeta("paste", true)));
  const start = view.state.selection.from - url.length;
  const page = ref.page ? services.page(ref.page)?.title : undefined;
  const words = page ? `${page}${ref.anchor ? ` #${ref.anchor}` : ""}` : url;
  const tr = view.state.tr.replaceWith(
    start,
    start + url.length,
    schema.text(words, [...view.state.doc.resolve(start).marks(), link]),
  );
  tr.removeStoredMark(link.type).setMeta(pastedAddressKey, {
    from: start,
    to: start + words.length,
    ref,
    blocks: ref.kind === "url" ? matching(installedIn(view.state), url) : [],
    index: -1,
  } satisfies PastedAddress);
  view.dispatch(closeHistory(tr).scrollIntoView());
}

export function pastedAddress(): Plugin<PastedAddress | null> {
  return new Plugin<PastedAddress | null>({
    key: pastedAddressKey,
    state: {
      init: () => null,
      apply(tr, before): PastedAddress | null {
        const meta = tr.getMeta(pastedAddressKey) as PastedAddress | "close" | undefined;
        if (meta) return meta === "close" ? null : meta;
        // Going on with the text leaves it the link that it is.
        if (tr.getMeta("received") && before)
          return { ...before, from: tr.mapping.map(before.from), to: tr.mapping.map(before.to) };
        return tr.docChanged || tr.selectionSet ? null : before;
      },
    },
    props: {
      handlePaste(view, event) {
        const data = event.clipboardData;
        const text = (data?.getData("text/plain") ?? "").trim();
        const shift = (view as unknown as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
        const { $from } = view.state.selection;
        if (
          shift ||
          !/^https?:\/\//i.test(text) ||
          addressOf(text) === null ||
          !$from.parent.inlineContent ||
          $from.parent.type.spec.code
        )
          return false;
        const html = data?.getData("text/html") ?? "";
        if (html && (new window.DOMParser().parseFromString(html, "text/html").body.textContent ?? "").trim() !== text)
          return false;
        event.preventDefault();
        paste(view, text);
        return true;
      },
      handleKeyDown(view, event) {
        const open = pastedAddressKey.getState(view.state);
        if (!open || event.isComposing) return false;
        const choices = becomes(open);
        const go = (index: number) => view.dispatch(view.state.tr.setMeta(pastedAddressKey, { ...open, index }));
        if (event.key === "ArrowDown") go((open.index + 1) % choices.length);
        else if (event.key === "ArrowUp" && open.index >= 0) go(open.index - 1);
        else if (event.key === "Escape") view.dispatch(view.state.tr.setMeta(pastedAddressKey, "close"));
        else if (event.key === "Enter" && open.index >= 0) become(view, choices[open.index]!);
        else return false;
        return true;
      },
      attributes: (state): Record<string, string> => {
        const open = pastedAddressKey.getState(state);
        return open && open.index >= 0
          ? {
              "aria-controls": "pasted-address-menu",
              "aria-activedescendant": `pasted-address-${becomes(open)[open.index]!.id}`,
            }
          : {};
      },
    },
  });
}
