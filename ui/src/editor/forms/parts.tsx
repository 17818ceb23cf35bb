// What forms are made of.
import { ExternalLink, Moon, Trash2 } from "lucide-react";
import { useId, type ReactNode } from "react";
import { Button, buttonClass } from "../../look/Button";
import { t, type Key } from "../../words/words";
import type { Data } from "../document";
import styles from "./Form.module.css";

// TextField is a line of text that is in the document as it is typed.
export function TextField({
  label,
  value,
  fault,
  onChange,
  ...rest
}: {
  label: string;
  value: string;
  fault?: string | undefined;
  onChange: (value: string) => void;
  autoFocus?: boolean;
  placeholder?: string;
  inputMode?: "url" | "numeric";
}) {
  const id = useId();
  return (
    <label className={styles.name}>
      <span>{label}</span>
      <input
        {...rest}
        value={value}
        autoComplete="off"
        aria-invalid={Boolean(fault)}
        aria-describedby={fault ? id : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {fault && (
        <span id={id} role="alert" className={styles.fault}>
          {fault}
        </span>
      )}
    </label>
  );
}

export function Check({
  label,
  value,
  onChange,
}: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

// Segments is a choice of one among few.
export function Segments({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: { value: string; label: string; icon?: ReactNode }[];
  onChange: (value: string) => void;
}) {
  return (
    <fieldset className={styles.name}>
      <legend>{label}</legend>
      <div className={styles.segments}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            aria-pressed={option.value === value}
            aria-label={option.label}
            title={option.icon ? option.label : undefined}
            onClick={() => onChange(option.value)}
          >
            {option.icon ?? option.label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

export function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <label className={styles.name}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

// Acts are what can be done at the foot of a form; the last one takes the thing away.
export function Acts({
  href,
  open = "editor.open",
  children,
  remove,
}: {
  href?: string | null | undefined;
  open?: Key;
  children?: ReactNode;
  remove: () => void;
}) {
  return (
    <div className={styles.acts}>
      {children}
      {href && (
        <a className={buttonClass("quiet")} href={href} target="_blank" rel="noopener noreferrer">
          <ExternalLink aria-hidden size={16} />
          {t(open)}
        </a>
      )}
      <Button kind="quiet" icon={<Trash2 aria-hidden size={16} />} onClick={remove}>
        {t("editor.remove")}
      </Button>
    </div>
  );
}

type DarkPictureProps = { data: Data; onChoose: () => void; onRemove: () => void };

// DarkPicture has the picture for dark backgrounds chosen, or takes the one that is there away.
export function DarkPicture({ data, onChoose, onRemove }: DarkPictureProps) {
  const there = Boolean(data["refDark"]);
  return (
    <Button icon={<Moon aria-hidden size={16} />} onClick={there ? onRemove : onChoose}>
      {t(there ? "editor.image.dark.remove" : "editor.image.dark")}
    </Button>
  );
}
