// What can be done with the selected rows; of cards, with the selected cards.
import { ArrowDown, ArrowUp, ChevronDown, ChevronUp, Copy, Eraser, Trash2 } from "lucide-react";
import type { Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { MenuItem, MenuSeparator } from "../../look/Menu";
import { t } from "../../words/words";
import { clear, deleteRows, duplicateRows, insertRow, moveRows } from "./commands";

// runner makes what runs a command and goes back to the text.
export const runner = (view: EditorView) => (command: Command) => ({
  disabled: !command(view.state),
  onClick: () => {
    command(view.state, view.dispatch, view);
    view.focus();
  },
});

export function RowMenu({ view }: { view: EditorView }) {
  const run = runner(view);
  return (
    <>
      <MenuItem icon={<ArrowUp aria-hidden />} {...run(insertRow("before"))}>{t("editor.table.row.before")}</MenuItem>
      <MenuItem icon={<ArrowDown aria-hidden />} {...run(insertRow("after"))}>{t("editor.table.row.after")}</MenuItem>
      <MenuItem icon={<Copy aria-hidden />} {...run(duplicateRows)}>{t("editor.table.row.duplicate")}</MenuItem>
      <MenuSeparator />
      <MenuItem icon={<ChevronUp aria-hidden />} keys="Alt+Up" {...run(moveRows(-1))}>
        {t("editor.table.row.up")}
      </MenuItem>
      <MenuItem icon={<ChevronDown aria-hidden />} keys="Alt+Down" {...run(moveRows(1))}>
        {t("editor.table.row.down")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Eraser aria-hidden />} {...run(clear)}>{t("editor.table.empty")}</MenuItem>
      <MenuItem danger icon={<Trash2 aria-hidden />} {...run(deleteRows)}>{t("editor.table.row.delete")}</MenuItem>
    </>
  );
}
