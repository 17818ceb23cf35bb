// Variables with their values, of a page or of a space: texts, numbers, true and false.
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button, IconButton } from "../look/Button";
import { Field } from "../look/Field";
import { failureText } from "../look/Failed";
import { t } from "../words/words";
import styles from "./Options.module.css";
import { faultOf, read } from "./queries";
import { SavedField } from "./SavedField";

type Props = {
  variables: Record<string, unknown>;
  onChange: (variables: Record<string, unknown>) => Promise<unknown>;
  level?: 2 | 3;
};

export function Variables({ variables, onChange, level = 3 }: Props) {
  const [fault, setFault] = useState("");
  const names = Object.keys(variables).sort();
  const Heading = `h${level}` as const;
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const name = String(data.get("name")).trim();
    const wrong = faultOf(name, names);
    if (wrong) return setFault(t(`options.variables.${wrong}`));
    try {
      await onChange({ ...variables, [name]: read(String(data.get("value"))) });
      setFault("");
      form.reset();
      form.querySelector("input")?.focus();
    } catch (failure) {
      setFault(failureText(failure));
    }
  };
  const remove = (name: string) => {
    const { [name]: _, ...rest } = variables;
    void onChange(rest).catch((failure: unknown) => setFault(failureText(failure)));
  };
  return (
    <section className={styles.part} aria-labelledby="options-variables">
      <Heading id="options-variables" className={level === 2 ? "visually-hidden" : styles.title}>
        {t("options.variables")}
      </Heading>
      {names.length > 0 && (
        <ul className={styles.variables}>
          {names.map((name) => (
            <li key={name} className={styles.variable}>
              <SavedField
                label={name}
                value={String(variables[name])}
                onSave={(text) => onChange({ ...variables, [name]: read(text) })}
                autoComplete="off"
              />
              <IconButton label={t("options.variables.delete", { name })} onClick={() => remove(name)}>
                <Trash2 />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.adding} onSubmit={(event) => void add(event)}>
        <Field
          name="name"
          label={t("options.variables.newName")}
          hideLabel
          placeholder={t("options.variables.newName")}
          error={fault}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={() => setFault("")}
        />
        <Field
          name="value"
          label={t("options.variables.newValue")}
          hideLabel
          placeholder={t("options.variables.newValue")}
          autoComplete="off"
        />
        <Button type="submit" icon={<Plus />}>
          {t("options.variables.add")}
        </Button>
      </form>
    </section>
  );
}
