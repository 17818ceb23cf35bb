// What the form of a look is made of.
import { useEffect, useId, useRef, useState } from "react";
import { SavedField } from "../../options/SavedField";
import { t } from "../../words/words";
import { contrast } from "./contrast";
import styles from "./Look.module.css";
import { UploadPicture } from "./UploadPicture";

type ChoicesProps<T extends string> = {
  label: string;
  values: readonly T[];
  value: string;
  named: (value: T) => string;
  onChange: (value: T) => void;
};

// Choices is one of a few.
export function Choices<T extends string>({ label, values, value, named, onChange }: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.label}>{label}</legend>
      {values.map((each) => (
        <label key={each} className={styles.choice}>
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
          {named(each)}
        </label>
      ))}
    </fieldset>
  );
}

type ListProps = {
  label: string;
  values: readonly string[];
  value: string;
  named?: (value: string) => string;
  none?: string;
  onChange: (value: string) => void;
};

// ListField is one of many. none names what an empty value stands for.
export function ListField({ label, values, value, named = (each) => each, none, onChange }: ListProps) {
  return (
    <label className={styles.font}>
      <span className={styles.label}>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {values.map((each) => (
          <option key={each} value={each}>
            {named(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

// What a colour stands on.
const grounds = { light: "#ffffff", dark: "#0c0e13" };
// So long nobody moves in the field of a colour before it is saved, in milliseconds.
const quiet = 400;

type Themed = { light: string; dark: string };

type ColourProps = { label: string; value: Themed; reads?: boolean; onChange: (value: Themed) => void };

// ColourField is a colour for each theme. It is saved when nobody moves in it for a moment. With reads its contrast is
// told.
export function ColourField({ label, value, reads = false, onChange }: ColourProps) {
  const [picked, setPicked] = useState<Partial<Themed>>({});
  const timer = useRef<number>(undefined);
  const now = useRef({ picked, value, onChange });
  now.current = { picked, value, onChange };
  const save = () => {
    clearTimeout(timer.current);
    const { picked: colours, value: known, onChange: send } = now.current;
    const next = { light: known.light, dark: known.dark, ...colours };
    if (next.light !== known.light || next.dark !== known.dark) send(next);
  };
  // What was picked is what is saved now.
  useEffect(() => setPicked({}), [value.light, value.dark]);
  useEffect(() => () => save(), []);
  return (
    <fieldset className={styles.colours}>
      <legend className={styles.label}>{label}</legend>
      {(["light", "dark"] as const).map((each) => {
        const colour = picked[each] ?? value[each];
        const ratio = contrast(colour, grounds[each]);
        return (
          <label key={each} className={styles.colour}>
            <span>{t(`siteLook.in.${each}`)}</span>
            <input
              type="color"
              aria-label={`${label}, ${t(`siteLook.in.${each}`)}`}
              value={colour}
              onChange={(event) => {
                setPicked({ ...picked, [each]: event.target.value });
                clearTimeout(timer.current);
                timer.current = window.setTimeout(save, quiet);
              }}
              onBlur={save}
            />
            {reads && (
              <span className={styles.note} data-low={ratio < 4.5 || undefined}>
                {t(ratio < 4.5 ? "siteLook.contrast.low" : "siteLook.contrast", { ratio: ratio.toFixed(1) })}
              </span>
            )}
          </label>
        );
      })}
    </fieldset>
  );
}

type PictureProps = {
  label: string;
  hint?: string;
  value: Themed | undefined;
  onSave: (value: Themed | null) => Promise<unknown>;
};

// PictureField is the address of a picture, and of another one for the dark theme where that differs.
export function PictureField({ label, hint, value, onSave }: PictureProps) {
  const { light = "", dark = "" } = value ?? {};
  const send = (next: Themed) =>
    onSave(next.light || next.dark ? { light: next.light || next.dark, dark: next.dark || next.light } : null);
  return (
    <div className={styles.picture}>
      <SavedField
        type="url"
        label={label}
        hint={hint}
        placeholder="https://example.com/logo.svg"
        value={light}
        maxLength={2048}
        spellCheck={false}
        autoComplete="off"
        onSave={(text) => send({ light: text.trim(), dark: text.trim() && dark !== light ? dark : "" })}
      />
      <UploadPicture label={label} onDone={(address) => send({ light: address, dark: dark !== light ? dark : "" })} />
      {light && (
        <SavedField
          type="url"
          label={t("siteLook.picture.dark", { name: label })}
          hint={t("siteLook.picture.dark.hint")}
          value={dark === light ? "" : dark}
          maxLength={2048}
          spellCheck={false}
          autoComplete="off"
          onSave={(text) => send({ light, dark: text.trim() })}
        />
      )}
    </div>
  );
}
