// A value in a line: an expression, what it comes to now, and the names that it can be made of.
import { useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";
import { useValue } from "./useValue";
import { Variables } from "./Variables";

export function ExpressionForm({ data, change, services, close }: FormProps) {
  const [expression, setExpression] = useState(String(data["expression"] ?? ""));
  const value = useValue(services, expression);
  const set = (text: string) => {
    setExpression(text);
    change({ expression: text });
  };
  return (
    <>
      <Field
        label={t("editor.expression.source")}
        error={value.fault}
        control={<textarea rows={1} className={styles.source} spellCheck={false} autoFocus dir="ltr" />}
        placeholder="space.vars.version"
        value={expression}
        onChange={(event) => set(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          close();
        }}
      />
      {!value.fault && value.words && (
        <p className={styles.note} role="status">
          {value.words}
        </p>
      )}
      <Variables services={services} onChoose={set} />
    </>
  );
}
