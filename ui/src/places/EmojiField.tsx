import { useState } from "react";
import { characters, emojis, findEmoji } from "../editor/emoji";
import { Button } from "../look/Button";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Places.module.css";

// Those that stand for spaces often, shown before anything is looked for.
const usual = [
  "1f4d8",
  "1f4d7",
  "1f4d9",
  "1f4d5",
  "1f4da",
  "1f4d6",
  "1f4dd",
  "1f4cb",
  "1f680",
  "2728",
  "1f9ed",
  "1f6e0-fe0f",
  "2699-fe0f",
  "1f512",
  "1f4a1",
  "1f4e6",
  "1f9e9",
  "1f3e0",
  "1f465",
  "1f4ac",
  "1f4c8",
  "1f3af",
  "1f331",
  "1f310",
];

type Props = { value: string; onChange: (emoji: string) => void };

// EmojiField chooses the emoji that stands for a space. It stands in a form, which keeps it.
export function EmojiField({ value, onChange }: Props) {
  const [words, setWords] = useState("");
  const found = words.trim()
    ? findEmoji(words, 32)
    : usual.map((code) => emojis.find((each) => each.code === code)).filter((each) => each !== undefined);
  return (
    <fieldset className={styles.emojis}>
      <legend className={styles.legend}>{t("place.icon")}</legend>
      <div className={styles.chosen}>
        <span
          className={styles.sample}
          role="img"
          aria-label={value ? t("place.icon.now", { emoji: value }) : t("place.icon.none")}
        >
          {value}
        </span>
        <Field
          label={t("place.icon.search")}
          hideLabel
          type="search"
          placeholder={t("place.icon.search")}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
        {value && (
          <Button kind="quiet" onClick={() => onChange("")}>
            {t("place.icon.remove")}
          </Button>
        )}
      </div>
      {found.length === 0 && <p className={styles.quiet}>{t("place.icon.nothing")}</p>}
      <div className={styles.grid}>
        {found.map(({ code, names }) => {
          const text = characters(code);
          return (
            <button
              key={code}
              type="button"
              className={styles.emoji}
              aria-pressed={text === value}
              aria-label={names[0]?.replaceAll("_", " ") ?? text}
              onClick={() => onChange(text)}
            >
              {text}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
