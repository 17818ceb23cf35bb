import { type FormEvent } from "react";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import { configurationOf, type Described, fieldsOf, valueOf } from "./configuration";
import styles from "./Integrations.module.css";

type Props = {
  described: Described | undefined;
  configuration: Record<string, unknown>;
  busy: boolean;
  failure: unknown;
  saved: boolean;
  onSave: (configuration: Record<string, unknown>) => void;
};

// ConfigForm asks what an integration wants to be told, by its own description.
export function ConfigForm({ described, configuration, busy, failure, saved, onSave }: Props) {
  const fields = fieldsOf(described);
  const buttons = Object.values(described?.properties ?? {}).some(({ type }) => type === "button");
  if (fields.length === 0) return <p className={styles.note}>{t(buttons ? "integrations.buttons" : "integrations.nothing")}</p>;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave(configurationOf(fields, new FormData(event.currentTarget), configuration));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {fields.map((field) => {
        const value = valueOf(field, configuration);
        if (field.type === "boolean") {
          return (
            <label key={field.name} className={styles.choice}>
              <input type="checkbox" name={field.name} defaultChecked={value === true} />
              <span>
                <span className={styles.label}>{field.label}</span>
                {field.description && <span className={styles.note}>{field.description}</span>}
              </span>
            </label>
          );
        }
        const common = { name: field.name, label: field.label, hint: field.description, required: field.required, defaultValue: String(value) };
        if (field.enum && field.enum.length > 0) {
          return (
            <Field
              key={field.name}
              {...common}
              control={
                <select>
                  {!field.required && <option value="" />}
                  {field.enum.map((each) => (
                    <option key={each} value={each}>
                      {each}
                    </option>
                  ))}
                </select>
              }
            />
          );
        }
        return <Field key={field.name} {...common} {...(field.type === "number" ? { type: "number", step: "any" } : {})} autoComplete="off" spellCheck={false} />;
      })}
      {buttons && <p className={styles.note}>{t("integrations.buttons")}</p>}
      {failure !== null && failure !== undefined && <Failed failure={failure} />}
      <div className={styles.line}>
        <Button type="submit" kind="primary" busy={busy}>
          {t("integrations.save")}
        </Button>
        <span role="status" className={styles.note}>
          {saved && t("integrations.saved")}
        </span>
      </div>
    </form>
  );
}
