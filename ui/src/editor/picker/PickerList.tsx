// The choices of a picker. The focus stays where one types, which names the choice that Enter takes.
import { Fragment, useLayoutEffect, useRef } from "react";
import { Button } from "../../look/Button";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import type { Choice } from "./choice";
import styles from "./Picker.module.css";
import type { Picked } from "./usePicker";

type Props<T> = {
  id: string;
  label: string;
  picked: Picked<T>;
  // What is said when there is nothing to choose.
  none?: string | undefined;
  onChoose: (choice: Choice<T>) => void;
};

// optionId is the id of a choice's element.
export const optionId = (list: string, index: number) => `${list}-${index}`;

export function PickerList<T>({ id, label, picked, none, onChoose }: Props<T>) {
  const { choices, state, index, setIndex } = picked;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [index, choices]);

  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        aria-busy={state === "waiting"}
        className={styles.list}
        onMouseDown={(event) => event.preventDefault()}
      >
        {choices.map((choice, at) => (
          <Fragment key={choice.id}>
            {choice.group && choice.group !== choices[at - 1]?.group && (
              <div role="presentation" className={styles.group}>
                {choice.group}
              </div>
            )}
            <div
              id={optionId(id, at)}
              role="option"
              aria-selected={at === index}
              className={styles.option}
              onClick={() => onChoose(choice)}
              onMouseMove={() => at !== index && setIndex(at)}
            >
              {choice.icon && <span className={styles.icon}>{choice.icon}</span>}
              <span className={styles.title}>{choice.title}</span>
              {choice.note && <span className={styles.note}>{choice.note}</span>}
            </div>
          </Fragment>
        ))}
      </div>
      <div role="status" className={styles.state}>
        {state === "waiting" && choices.length === 0 && <Skeleton lines={3} />}
        {state === "ready" && choices.length === 0 && (none ?? t("picker.none"))}
        {state === "failed" && (
          <>
            {t("picker.failed")}
            <Button kind="quiet" onClick={picked.retry}>
              {t("failure.retry")}
            </Button>
          </>
        )}
      </div>
    </>
  );
}
