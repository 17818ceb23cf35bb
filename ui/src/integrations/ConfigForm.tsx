import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import { Choices } from "./Choices";
import { configurationOf, type Described, type Field as Known, fieldsOf, isSet, under, valueOf } from "./configuration";
import styles from "./Integrations.module.css";
import { openWindow, useOutcome } from "./window";

type Props = {
  described: Described | undefined;
  configuration: Record<string, unknown>;
  busy: boolean;
  failure: unknown;
  saved: boolean;
  onSave: (configuration: Record<string, unknown>) => void;
  // endpoint is where the integration answers for what is configured.
  endpoint: string;
  // onRefresh asks anew for what is configured.
  onRefresh: () => void;
};

// ConfigForm asks what an integration wants to be told, by its own description.
export function ConfigForm({ described, configuration, busy, failure, saved, onSave, endpoint, onRefresh }: Props) {
  const fields = fieldsOf(described);
  if (fields.length === 0) return <p className={styles.note}>{t("integrations.nothing")}</p>;
  const filled = fields.some(({ type }) => type !== "button");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave(configurationOf(fields, new FormData(event.currentTarget), configuration));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {fields.map((field) => {
        if (field.type === "button")
          return (
            <Connect
              key={field.name}
              field={field}
              configuration={configuration}
              endpoint={endpoint}
              onRefresh={onRefresh}
            />
          );
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
        const common = { name: field.name, label: field.label, hint: hintOf(field), defaultValue: String(value) };
        if (field.enum && field.enum.length > 0) {
          return (
            <Field
              key={field.name}
              {...common}
              control={
                <select>
                  <option value="" />
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
        if (field.completion_url)
          return (
            <Choices
              key={field.name}
              name={field.name}
              label={field.label}
              hint={hintOf(field)}
              value={String(value)}
              address={under(endpoint, field.completion_url)}
              configured={JSON.stringify(configuration)}
            />
          );
        return (
          <Field
            key={field.name}
            {...common}
            {...(field.type === "number" ? { type: "number", step: "any" } : {})}
            autoComplete="off"
            spellCheck={false}
          />
        );
      })}
      {failure !== null && failure !== undefined && <Failed failure={failure} />}
      <div className={styles.line}>
        {filled && (
          <Button type="submit" kind="primary" busy={busy}>
            {t("integrations.save")}
          </Button>
        )}
        <span role="status" className={styles.note}>
          {saved && t("integrations.saved")}
        </span>
      </div>
    </form>
  );
}

// hintOf is what is said about a field, and that it is needed.
const hintOf = ({ description, required }: Known) =>
  [description, required ? t("integrations.needed") : ""].filter(Boolean).join(" · ");

// Connect is a button of the integration's own: it opens a window of it, and waits for what comes of that.
function Connect({
  field,
  configuration,
  endpoint,
  onRefresh,
}: {
  field: Known;
  configuration: Record<string, unknown>;
  endpoint: string;
  onRefresh: () => void;
}) {
  const [state, put] = useState<"idle" | "open" | "blocked">("idle");
  const set = isSet(field, configuration);
  const open = () => put(openWindow(under(endpoint, field.callback_url ?? "/")) ? "open" : "blocked");
  const value = JSON.stringify(configuration[field.name]);
  useEffect(() => put("idle"), [value]);
  useOutcome(state === "open", onRefresh, () => put("idle"));
  return (
    <div className={styles.connect}>
      <span className={styles.label}>{field.label}</span>
      {hintOf(field) && <span className={styles.note}>{hintOf(field)}</span>}
      <div className={styles.line}>
        <Button onClick={open}>
          {field.button_text || field.label}
        </Button>
        <span role="status" className={styles.note}>
          {state === "blocked"
            ? t("integrations.blocked")
            : state === "open"
              ? t("integrations.window")
              : t(set ? "integrations.set" : "integrations.unset")}
        </span>
      </div>
    </div>
  );
}
