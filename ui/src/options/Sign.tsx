// The emoji or the icon that stands before the title of a page.
import { useState } from "react";
import { emojiChoices, iconChoices } from "../editor/picker/choices";
import { Picker } from "../editor/picker/Picker";
import { Glyph } from "../look/Glyph";
import { Button } from "../look/Button";
import { emojiText } from "../space/tree";
import { t } from "../words/words";
import styles from "./Options.module.css";
import type { Options, Page } from "./queries";

type Props = { page: Page; onChange: (options: Options) => void };

export function Sign({ page, onChange }: Props) {
  const { emoji, icon } = page;
  const [choosing, setChoosing] = useState<"emoji" | "icon" | null>(null);
  const choose = (options: Options) => {
    setChoosing(null);
    onChange(options);
  };
  return (
    <div role="group" aria-label={t("options.sign")} className={styles.group}>
      <span className={styles.label}>{t("options.sign")}</span>
      <div className={styles.line}>
        {emoji && <span className={styles.sign}>{emojiText(emoji)}</span>}
        {!emoji && icon && (
          <span className={styles.sign} role="img" aria-label={icon}>
            <Glyph key={icon} name={icon} />
          </span>
        )}
        <Button aria-expanded={choosing === "emoji"} onClick={() => setChoosing(choosing === "emoji" ? null : "emoji")}>
          {t("options.emoji")}
        </Button>
        <Button aria-expanded={choosing === "icon"} onClick={() => setChoosing(choosing === "icon" ? null : "icon")}>
          {t("options.icon")}
        </Button>
        {(emoji || icon) && (
          <Button kind="quiet" onClick={() => choose({ emoji: null, icon: null })}>
            {t("editor.remove")}
          </Button>
        )}
      </div>
      {choosing === "emoji" && (
        <Picker
          label={t("editor.emoji.search")}
          search={emojiChoices}
          onChoose={(code) => choose({ emoji: code, icon: null })}
          onCancel={() => setChoosing(null)}
        />
      )}
      {choosing === "icon" && (
        <Picker
          label={t("editor.icon.search")}
          search={iconChoices}
          onChoose={(name) => choose({ icon: name, emoji: null })}
          onCancel={() => setChoosing(null)}
        />
      )}
    </div>
  );
}
