// Steps of a configuration, of which one shows.
import { Button } from "../look/Button";
import { t } from "../words/words";
import { useKit } from "./context";
import { Elements } from "./Elements";
import type { Element } from "./elements";
import styles from "./Kit.module.css";

export function Stepper({ element: { children, active, change, complete } }: { element: Element }) {
  const { act } = useKit();
  const steps = children.filter(({ kind }) => kind === "step");
  const at = Math.max(0, steps.findIndex(({ id }) => id === active));
  const step = steps[at];
  if (!step) return null;
  const next = steps[at + 1];
  return (
    <div className={styles.column}>
      <ol className={styles.steps}>
        {steps.map((each, i) => (
          <li key={each.id} aria-current={i === at ? "step" : undefined}>
            {each.title || each.id}
          </li>
        ))}
      </ol>
      <Elements list={step.children} />
      <div className={styles.line}>
        {at > 0 && (
          <Button onClick={() => act(change && { ...change, step: steps[at - 1]!.id })}>{t("kit.back")}</Button>
        )}
        {step.next && (
          <Button kind="primary" onClick={() => act(next ? change && { ...change, step: next.id } : complete)}>
            {t(next ? "kit.next" : "kit.finish")}
          </Button>
        )}
      </div>
    </div>
  );
}
