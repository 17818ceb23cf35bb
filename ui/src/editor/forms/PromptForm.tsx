// How a prompt is shown: its icon, how much of its text, and whether it leads to assistants.
import { useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

const shown = ["hidden", "partial", "full"] as const;

export function PromptForm({ data, change }: FormProps) {
  const [icon, setIcon] = useState(String(data["icon"] ?? ""));
  const [expanded, setExpanded] = useState(String(data["defaultExpanded"] ?? "hidden"));
  const [offered, setOffered] = useState(data["openInAIProviders"] === true);
  return (
    <>
      <div className={styles.row}>
        <Field
          label={t("editor.prompt.expanded")}
          autoFocus
          control={
            <select>
              {shown.map((each) => (
                <option key={each} value={each}>
                  {t(`editor.prompt.${each}`)}
                </option>
              ))}
            </select>
          }
          value={expanded}
          onChange={(event) => {
            setExpanded(event.target.value);
            change({ defaultExpanded: event.target.value });
          }}
        />
        <Field
          label={t("editor.prompt.icon")}
          placeholder="sparkles"
          value={icon}
          autoComplete="off"
          onChange={(event) => {
            setIcon(event.target.value);
            change({ icon: event.target.value.trim() || undefined });
          }}
        />
      </div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={offered}
          onChange={(event) => {
            setOffered(event.target.checked);
            change({ openInAIProviders: event.target.checked || undefined });
          }}
        />
        {t("editor.prompt.providers")}
      </label>
    </>
  );
}
