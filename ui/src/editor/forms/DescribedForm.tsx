// What an operation is that the page describes itself: its summary, its method, and where it is.
import { useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

export function DescribedForm({ data, change }: FormProps) {
  const [chosen, setChosen] = useState(data);
  const text = (name: string) => String(chosen[name] ?? "");
  const set = (name: string, value: string) => {
    setChosen({ ...chosen, [name]: value });
    change({ [name]: value || undefined });
  };
  const method = text("method").toLowerCase();
  return (
    <>
      <Field
        label={t("editor.api.summary")}
        value={text("title")}
        autoFocus
        autoComplete="off"
        onChange={(event) => set("title", event.target.value)}
      />
      <div className={styles.row}>
        <Field
          label={t("editor.api.method")}
          control={
            <select>
              <option value="">{t("editor.api.methodNone")}</option>
              {[...methods, ...(method && !methods.includes(method) ? [method] : [])].map((each) => (
                <option key={each} value={each}>
                  {each.toUpperCase()}
                </option>
              ))}
            </select>
          }
          value={method}
          onChange={(event) => set("method", event.target.value)}
        />
        <Field
          label={t("editor.api.path")}
          value={text("path")}
          autoComplete="off"
          placeholder="/pets/{id}"
          dir="ltr"
          onChange={(event) => set("path", event.target.value)}
        />
      </div>
      <Field
        label={t("editor.api.base")}
        value={text("baseUrl")}
        inputMode="url"
        autoComplete="off"
        placeholder="https://api.example.org"
        dir="ltr"
        onChange={(event) => set("baseUrl", event.target.value)}
      />
    </>
  );
}
