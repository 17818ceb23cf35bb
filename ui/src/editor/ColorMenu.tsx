// The colours of words and of what is behind them: those that a document can name.
import { Palette } from "lucide-react";
import type { EditorView } from "@tiptap/pm/view";
import { IconButton } from "../look/Button";
import { Menu, MenuChoice, MenuChoices, MenuSeparator } from "../look/Menu";
import { t, type Key } from "../words/words";
import styles from "./ColorMenu.module.css";
import { color, colorOf } from "./commands";

const colors = ["default", "red", "orange", "yellow", "green", "cyan", "blue", "violet", "purple", "pink", "$primary"];

const nameOf = (value: string) => t(`editor.color.${value.replace("$", "")}` as Key);

export function ColorMenu({ view }: { view: EditorView }) {
  const now = colorOf(view.state);
  const set = (kind: "text" | "background") => (value: string) => {
    color({ [kind]: value })(view.state, view.dispatch, view);
    view.focus();
  };
  const trigger = (
    <IconButton label={t("editor.color")} aria-pressed={now.text !== "default" || now.background !== "default"}>
      <Palette />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      {(["text", "background"] as const).map((kind, index) => (
        <div key={kind}>
          {index > 0 && <MenuSeparator />}
          <MenuChoices label={t(`editor.color.of.${kind}`)} value={now[kind]} onChange={set(kind)}>
            {colors.map((value) => (
              <MenuChoice key={value} value={value}>
                <span className={`article ${styles.color}`}>
                  <span className={styles.sample} data-kind={kind} data-color={value.replace("$", "")} aria-hidden>
                    A
                  </span>
                  {nameOf(value)}
                </span>
              </MenuChoice>
            ))}
          </MenuChoices>
        </div>
      ))}
    </Menu>
  );
}
