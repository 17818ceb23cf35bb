// The tags of a page. Enter or a comma ends one, Backspace in an empty field takes the last away.
import { X } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "../api/client";
import { Field } from "../look/Field";
import { failureText } from "../look/Failed";
import { t } from "../words/words";
import styles from "./Options.module.css";

type Tag = Schemas["PageTag"];
type Props = { tags: Tag[]; onChange: (tags: Tag[]) => Promise<unknown> };

export function Tags({ tags, onChange }: Props) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const save = async (next: Tag[]) => {
    try {
      await onChange(next);
      setFault("");
      return true;
    } catch (failure) {
      setFault(failureText(failure));
      return false;
    }
  };
  const add = async () => {
    const name = text.replaceAll(",", " ").trim();
    if (name === "") return;
    if (tags.some(({ tag }) => tag.tag === name) || (await save([...tags, { tag: { kind: "tag", tag: name } }])))
      setText("");
  };
  return (
    <section className={styles.part} aria-labelledby="options-tags">
      <h3 id="options-tags" className={styles.title}>
        {t("options.tags")}
      </h3>
      {tags.length > 0 && (
        <ul className={styles.tags}>
          {tags.map(({ tag }) => (
            <li key={tag.tag} className={styles.tag}>
              {tag.tag}
              <button
                type="button"
                aria-label={t("look.unchoose", { name: tag.tag ?? "" })}
                onClick={() => void save(tags.filter((each) => each.tag.tag !== tag.tag))}
              >
                <X aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label={t("options.tags.add")}
        hideLabel
        placeholder={t("options.tags.add")}
        value={text}
        error={fault}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void add()}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter" || event.key === ",") {
            event.preventDefault();
            void add();
          } else if (event.key === "Backspace" && text === "" && tags.length > 0) void save(tags.slice(0, -1));
        }}
      />
    </section>
  );
}
