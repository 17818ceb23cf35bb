import { type KeyboardEvent, useRef } from "react";
import { t } from "../words/words";
import styles from "./PageTree.module.css";

type Props = { title: string; onDone: (title: string | undefined) => void };

// RowName is the field that a page gets another name in. Enter and leaving it keep the name, Escape gives up.
export function RowName({ title, onDone }: Props) {
  const over = useRef(false);
  const done = (text: string | undefined) => {
    if (over.current) return;
    over.current = true;
    const wanted = text?.trim();
    onDone(wanted === "" || wanted === title ? undefined : wanted);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // The tree has keys of its own.
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") done(event.currentTarget.value);
    else if (event.key === "Escape") done(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={(field) => {
        if (field && document.activeElement !== field) {
          field.focus({ preventScroll: true });
          field.select();
        }
      }}
      data-naming
      className={styles.field}
      aria-label={t("tree.name")}
      defaultValue={title}
      maxLength={200}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={onKeyDown}
      onBlur={(event) => done(event.currentTarget.value)}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
