// What the history of main will say of the merge: the number and subject of the change request, or what is written
// here.
import { Pencil, RotateCcw } from "lucide-react";
import { useRef, useState } from "react";
import { IconButton } from "../look/Button";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./MergeBox.module.css";

// The longest that the API takes.
const longest = 250;

type Props = { usual: string; value: string; onChange: (message: string) => void };

export function MergeMessage({ usual, value, onChange }: Props) {
  const [open, setOpen] = useState(value !== "");
  const button = useRef<HTMLButtonElement>(null);
  if (!open) {
    return (
      <div className={styles.said}>
        <p className={styles.history}>{t("change.history", { message: usual })}</p>
        <IconButton ref={button} label={t("change.message.edit")} onClick={() => setOpen(true)}>
          <Pencil />
        </IconButton>
      </div>
    );
  }
  const back = () => {
    onChange("");
    setOpen(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  return (
    <div className={styles.saying}>
      <Field
        label={t("change.message")}
        hint={t("change.message.hint")}
        placeholder={usual}
        value={value}
        maxLength={longest}
        autoFocus
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && back()}
      />
      <IconButton label={t("change.message.usual")} onClick={back}>
        <RotateCcw />
      </IconButton>
    </div>
  );
}
