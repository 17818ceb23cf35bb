// What the slash menu asks before something is put into the text.
import { createElement, lazy, Suspense } from "react";
import type { Command } from "@tiptap/pm/state";
import { t, type Key } from "../../words/words";
import { type } from "../commands";
import { around, atSelection } from "../panels";
import { openAt } from "./openNode";

export type Asked = "picture" | "file" | "inlineImage" | "embed" | "card" | "emoji" | "icon";

const AskForm = lazy(() => import("./AskForm").then(({ AskForm }) => ({ default: AskForm })));

const ask =
  (kind: Asked, title: Key): Command =>
  (_state, dispatch, view) => {
    if (dispatch && view) {
      const label = t(title);
      const body = (close: () => void) =>
        createElement(Suspense, { fallback: null }, createElement(AskForm, { kind, view, label, close }));
      around(view).panels.open({ label, anchor: atSelection(view), body });
    }
    return true;
  };

export const askPicture = ask("picture", "editor.form.image");
export const askFile = ask("file", "editor.form.file");
export const askEmbed = ask("embed", "editor.form.embed");
export const askCard = ask("card", "editor.form.contentRef");
export const askEmoji = ask("emoji", "editor.form.emoji");
export const askIcon = ask("icon", "editor.form.icon");
export const askInlineImage = ask("inlineImage", "editor.form.inlineImage");

// typeIn types a sign that opens a list, with a space before it where a word stands.
export const typeIn =
  (sign: string): Command =>
  (state, dispatch) => {
    const before = state.selection.$from.parent.textBetween(0, state.selection.$from.parentOffset, null, " ");
    dispatch?.(state.tr.insertText(/\S$/.test(before) ? ` ${sign}` : sign).scrollIntoView());
    return true;
  };

// insertButton puts a button into the line and opens its form.
export const insertButton: Command = (state, dispatch, view) => {
  if (!state.selection.$from.parent.inlineContent) return false;
  dispatch?.(
    state.tr.replaceSelectionWith(
      type("button").create({ data: { label: t("editor.form.button"), kind: "primary" } }),
      false,
    ),
  );
  if (dispatch && view) openAt(view, view.state.selection.from - 1);
  return true;
};
