// What the forms of blocks are made of: a few choices beside each other, and what is on or off.
import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { type ReactNode, useId } from "react";
import { Switch } from "../../../look/Switch";
import { tip } from "../../../look/Tooltip";
import styles from "./Forms.module.css";

type ChoiceProps = {
  label: string;
  value: string;
  options: { value: string; label: string; icon: ReactNode }[];
  onChange: (value: string) => void;
};

// Choice is one of a few, shown as icons with names.
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.line}>
      <span id={id}>{label}</span>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(String(next))}
        className={styles.choice}
      >
        {options.map((option) => (
          <Radio.Root
            key={option.value}
            {...tip(option.label)}
            value={option.value}
            aria-label={option.label}
            className={styles.option}
            data-value={option.value}
          >
            {option.icon}
          </Radio.Root>
        ))}
      </RadioGroup>
    </div>
  );
}

// Toggle is on or off.
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
    <div className={styles.line}>
      <label id={id}>{label}</label>
      <Switch checked={checked} onChange={onChange} labelledBy={id} />
    </div>
  );
}

// Form is what stands in the panel.
export function Form({ children, onDone }: { children: ReactNode; onDone: () => void }) {
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
      }}
    >
      {children}
    </form>
  );
}
