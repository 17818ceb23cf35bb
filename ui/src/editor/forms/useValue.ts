// What an expression comes to, asked of the server a moment after the last key.
import { useEffect, useState } from "react";
import { t } from "../../words/words";
import type { Services, Value } from "../services";

const pause = 300;

// valueWords says what an expression comes to.
export function valueWords(value: Value | null): string {
  if (!value || value.fault) return "";
  if (value.visitor) return t("editor.expression.visitor");
  return value.value === "" ? t("editor.expression.nothing") : t("editor.expression.value", { value: value.value });
}

export function useValue(services: Services, expression: string): { words: string; fault: string } {
  const [known, setKnown] = useState<{ expression: string; value: Value | null }>({ expression: "", value: null });
  useEffect(() => {
    if (expression.trim() === "") return;
    let left = false;
    const timer = setTimeout(() => {
      services.evaluate(expression).then(
        (value) => !left && setKnown({ expression, value }),
        () => undefined,
      );
    }, pause);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [services, expression]);
  // What was wrong before the last key is not said of what stands there now.
  const value = known.expression === expression ? known.value : null;
  return { words: valueWords(value), fault: value?.fault ?? "" };
}
