// The TeX of a formula in a line. The line shows it while it is typed.
import { useEffect, useRef, useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import { drawFormula } from "../views/katex";
import { said } from "../views/math";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

export function FormulaForm({ data, change, close }: FormProps) {
  const [formula, setFormula] = useState(String(data["formula"] ?? ""));
  const [fault, setFault] = useState("");
  const drawing = useRef<HTMLDivElement>(null);

  // KaTeX draws into an element, as it does in the text.
  useEffect(() => {
    if (drawing.current)
      drawFormula(drawing.current, formula, false, (drawn) => setFault(formula.trim() === "" ? "" : said(drawn)));
  }, [formula]);

  return (
    <>
      <Field
        label={t("editor.math.source")}
        error={fault}
        control={<textarea rows={1} className={styles.source} spellCheck={false} autoFocus dir="ltr" />}
        value={formula}
        placeholder="a^2 + b^2 = c^2"
        onChange={(event) => {
          setFormula(event.target.value);
          change({ formula: event.target.value });
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          close();
        }}
      />
      <div ref={drawing} className={styles.drawing} hidden={formula.trim() === "" || fault !== ""} aria-hidden />
    </>
  );
}
