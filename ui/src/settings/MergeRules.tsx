// What change requests of a space need before they may be merged.
import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useId } from "react";
import { whoMayReview } from "../change-request/queries";
import { Button, IconButton } from "../look/Button";
import { ChooseMany } from "../look/ChooseMany";
import { Field } from "../look/Field";
import { Toggle } from "../options/Toggle";
import type { Space } from "../space/queries";
import { t } from "../words/words";
import { forPeople, has, named, type Rules, type Rule, simple, toggled } from "./rules";
import styles from "./Settings.module.css";

const types = ["inherit", "none", "rules"] as const;

// shown are the rules as they are set, also while that is on its way.
type Props = { space: Space; shown: Rules; onChange: (rules: Rules) => void };

export function MergeRules({ space, shown, onChange }: Props) {
  const name = useId();
  const { manage, listPeople } = space.permissions;
  const rules = shown.rules ?? [];
  const { type } = shown;
  const people = useQuery({ ...whoMayReview(space.id), enabled: type === "rules" && listPeople }).data ?? [];
  const options = people.map((user) => ({ id: user.id, label: user.displayName, about: user.email }));
  const set = (next: Rule[]) => onChange({ type: "rules", rules: next });
  const custom = rules.filter(({ rule }) => rule === "custom");
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [expression, message] = [String(data.get("expression")).trim(), String(data.get("message")).trim()];
    if (expression) set([...rules, { rule: "custom", expression, ...(message ? { message } : {}) }]);
    event.currentTarget.reset();
  };
  return (
    <fieldset className={styles.fields} disabled={!manage}>
      <legend className={styles.heading}>{t("settings.rules")}</legend>
      {types.map((each) => (
        <label key={each} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={type === each}
            onChange={() => onChange(each === "rules" ? { type: each, rules } : { type: each })}
          />
          {t(`settings.rules.${each}`)}
        </label>
      ))}
      {type === "rules" && (
        <div className={styles.rules}>
          {simple.map((kind) => (
            <Toggle
              key={kind}
              label={t(`settings.rule.${kind}`)}
              checked={has(rules, kind)}
              onChange={(on) => set(toggled(rules, kind, on))}
            />
          ))}
          {named.map((kind) => {
            const users = rules.find(({ rule }) => rule === kind)?.users ?? [];
            return (
              <div key={kind} className={styles.people}>
                <span>{t(`settings.rule.${kind}`)}</span>
                <ChooseMany
                  label={t(`settings.rule.${kind}`)}
                  none={t("settings.rule.nobody")}
                  options={options}
                  chosen={users.map((id) => options.find((each) => each.id === id) ?? { id, label: id })}
                  onChange={(chosen) => set(forPeople(rules, kind, chosen.map(({ id }) => id)))}
                />
              </div>
            );
          })}
          {custom.map((rule, index) => (
            <div key={index} className={styles.custom}>
              <span>
                <code>{rule.expression}</code>
                {rule.message && <span className={styles.hint}> {rule.message}</span>}
              </span>
              <IconButton
                label={t("settings.rule.delete", { expression: rule.expression ?? "" })}
                onClick={() => set(rules.filter((each) => each !== rule))}
              >
                <Trash2 />
              </IconButton>
            </div>
          ))}
          <form className={styles.adding} onSubmit={add}>
            <Field
              name="expression"
              label={t("settings.rule.expression")}
              hint={t("settings.rule.expression.hint")}
              placeholder="changeRequest.links.broken === 0"
              maxLength={1024}
              spellCheck={false}
              autoComplete="off"
              dir="ltr"
            />
            <Field name="message" label={t("settings.rule.message")} maxLength={256} autoComplete="off" />
            <Button type="submit" icon={<Plus aria-hidden size={16} />}>
              {t("settings.rule.add")}
            </Button>
          </form>
        </div>
      )}
    </fieldset>
  );
}
