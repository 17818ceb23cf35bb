import { useId } from "react";
import { Switch } from "../look/Switch";
import styles from "./Options.module.css";

// Toggle is an option that is on or off.
export function Toggle({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={styles.toggle}>
      <span id={id}>{label}</span>
      <Switch labelledBy={id} checked={checked} onChange={onChange} />
    </div>
  );
}
