// The date of news, and the tags that they can be found by.
import { useState, type KeyboardEvent } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import { dayOf } from "../views/days";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

interface Tag {
  kind?: string;
  tag?: string;
}

export function UpdateForm({ data, change, close }: FormProps) {
  const first = (data["tags"] ?? []) as Tag[];
  const [date, setDate] = useState(dayOf(String(data["date"] ?? "")));
  const [tags, setTags] = useState(first.map(({ tag }) => tag ?? "").join(", "));
  const retag = (text: string) => {
    setTags(text);
    const named = text.split(",").map((tag) => tag.trim()).filter(Boolean);
    // A tag that was there stays as it was.
    change({
      tags: named.length
        ? named.map((tag) => first.find((each) => each.tag === tag) ?? { kind: "tag", tag })
        : undefined,
    });
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // The key does not reach the text, which has the focus then.
    event.preventDefault();
    close();
  };
  const known = /^\d{4}-\d\d-\d\d$/.test(date) || date === "";
  return (
    <div className={styles.row} onKeyDown={leave}>
      <Field
        label={t("editor.updates.day")}
        type={known ? "date" : "text"}
        value={date}
        autoFocus
        onChange={(event) => {
          setDate(event.target.value);
          change({ date: event.target.value });
        }}
      />
      <Field
        label={t("editor.updates.tags")}
        placeholder={t("editor.updates.tags.example")}
        value={tags}
        onChange={(event) => retag(event.target.value)}
        autoComplete="off"
      />
    </div>
  );
}
