// Who sees a part of a page: an expression, what it means, and the names that it can be made of.
import { useRef, useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import { meaning } from "../meaning";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";
import { useValue } from "./useValue";
import { Variables } from "./Variables";

export function ConditionForm({ data, change, services }: FormProps) {
  const [expression, setExpression] = useState(String(data["expression"] ?? ""));
  const value = useValue(services, expression);
  const last = useRef(expression);
  // A condition that cannot be read is refused, and all text of the page with it: the block keeps the one before.
  const set = (text: string) => {
    setExpression(text);
    last.current = text;
    const take = (fault = "") => {
      if (last.current === text && !fault) change({ expression: text });
    };
    if (meaning(text)) take();
    else if (text.trim() !== "")
      services.evaluate(text).then(
        (found) => take(found?.fault),
        () => take(),
      );
  };
  const said = meaning(expression);
  return (
    <>
      <Field
        label={t("editor.condition.expression")}
        hint={t("editor.condition.hint")}
        error={value.fault && t("editor.condition.kept", { fault: value.fault })}
        control={<textarea rows={2} className={styles.source} spellCheck={false} autoFocus dir="ltr" />}
        placeholder={'visitor.claims.unsigned.plan === "team"'}
        value={expression}
        onChange={(event) => set(event.target.value)}
      />
      {said && <p className={styles.note}>{t("editor.condition.only", { meaning: said })}</p>}
      <Variables services={services} onChoose={(name) => set(expression ? `${expression.trimEnd()} ${name}` : name)} />
    </>
  );
}
