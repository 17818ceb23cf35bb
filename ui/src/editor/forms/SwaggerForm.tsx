// The older block of an API: the address of a specification, with a path and a method of it.
import { useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import type { Ref } from "../services";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

export function SwaggerForm({ data, change }: FormProps) {
  const [chosen, setChosen] = useState(data);
  const ref = (chosen["ref"] ?? {}) as Ref;
  const set = (changes: Record<string, unknown>) => {
    setChosen({ ...chosen, ...changes });
    change(changes);
  };
  return (
    <>
      {ref.kind === "url" ? (
        <Field
          label={t("editor.api.address")}
          value={ref.url ?? ""}
          inputMode="url"
          autoFocus
          autoComplete="off"
          onChange={(event) => set({ ref: { ...ref, url: event.target.value } })}
        />
      ) : (
        <p className={styles.note}>{t("editor.api.file")}</p>
      )}
      <div className={styles.row}>
        <Field
          label={t("editor.api.path")}
          value={String(chosen["path"] ?? "")}
          autoComplete="off"
          placeholder="/pets/{id}"
          onChange={(event) => set({ path: event.target.value || undefined })}
        />
        <Field
          label={t("editor.api.method")}
          value={String(chosen["method"] ?? "")}
          autoComplete="off"
          placeholder="get"
          onChange={(event) => set({ method: event.target.value || undefined })}
        />
      </div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={chosen["expanded"] === true}
          onChange={(event) => set({ expanded: event.target.checked || undefined })}
        />
        {t("editor.api.expanded")}
      </label>
    </>
  );
}
