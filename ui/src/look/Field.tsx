// A field of a form with its name, what helps to fill it in, and what is wrong with it (Base UI ties them together).
import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import styles from "./Field.module.css";

type Props = Omit<ComponentProps<"input">, "children" | "style" | "className" | "defaultValue" | "value"> & {
  label: string;
  hint?: ReactNode;
  // What is wrong, in words that say how to mend it.
  error?: string | undefined;
  value?: string;
  defaultValue?: string;
  // Another control than a line of text, such as <textarea/>.
  control?: ReactElement;
  // Leaves the name to those who listen, where the place says what it is.
  hideLabel?: boolean;
};

export function Field({ label, hint, error, control, hideLabel = false, name, ...rest }: Props) {
  return (
    <Base.Root className={styles.field} invalid={Boolean(error)} {...(name ? { name } : {})}>
      <Base.Label className={hideLabel ? "visually-hidden" : styles.label}>{label}</Base.Label>
      <Base.Control {...rest} {...(control ? { render: control } : {})} className={styles.control} />
      {hint && <Base.Description className={styles.hint}>{hint}</Base.Description>}
      {error && (
        <Base.Error match className={styles.error} role="alert">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
}
