// The title of a reusable content that is made of what is selected.
import { useState, type FormEvent } from "react";
import { Button } from "../../look/Button";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import styles from "./Forms.module.css";

type Props = { first: string; make: (title: string) => Promise<void>; onDone: () => void };

export function ReusableMaker({ first, make, onDone }: Props) {
  const [title, setTitle] = useState(first);
  const [state, setState] = useState<"" | "busy" | "failed">("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!title.trim()) return;
    setState("busy");
    make(title.trim()).then(onDone, () => setState("failed"));
  };
  return (
    <form className={styles.body} onSubmit={submit}>
      <Field
        label={t("editor.reusable.title")}
        value={title}
        autoFocus
        autoComplete="off"
        maxLength={150}
        onChange={(event) => setTitle(event.target.value)}
        error={state === "failed" ? t("editor.reusable.unsaved") : undefined}
      />
      <div className={styles.actions}>
        <Button type="submit" kind="primary" busy={state === "busy"} disabled={!title.trim()}>
          {t("editor.reusable.create")}
        </Button>
      </div>
    </form>
  );
}
