// The properties of a block of an integration: texts as they are, everything else as JSON.
import { useRef, useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import type { Data } from "../document";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

export function IntegrationForm({ data, change }: FormProps) {
  const [props, setProps] = useState((data["props"] ?? {}) as Data);
  // Two fields may be changed before either is drawn again.
  const latest = useRef(props);
  const set = (name: string, value: unknown) => {
    latest.current = { ...latest.current, [name]: value };
    setProps(latest.current);
    change({ props: latest.current });
  };
  const names = Object.keys(props);
  return (
    <>
      {names.length === 0 && <p className={styles.note}>{t("editor.integration.none")}</p>}
      {names.map((name, i) => (typeof props[name] === "boolean" ? <Check key={name} name={name} value={props[name]} set={set} /> : <Value key={name} name={name} value={props[name]} first={i === 0} set={set} />))}
    </>
  );
}

type Set = (name: string, value: unknown) => void;

function Check({ name, value, set }: { name: string; value: boolean; set: Set }) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={value} onChange={(event) => set(name, event.target.checked)} />
      {name}
    </label>
  );
}

function Value({ name, value, first, set }: { name: string; value: unknown; first: boolean; set: Set }) {
  const plain = typeof value === "string";
  const [text, setText] = useState(plain ? value : JSON.stringify(value));
  const [fault, setFault] = useState(false);
  const write = (typed: string) => {
    setText(typed);
    if (plain) return set(name, typed);
    try {
      set(name, JSON.parse(typed));
      setFault(false);
    } catch {
      // What is no JSON yet is not taken in.
      setFault(true);
    }
  };
  return <Field label={name} value={text} autoFocus={first} control={<textarea rows={1} className={styles.source} spellCheck={false} />} onChange={(event) => write(event.target.value)} error={fault ? t("editor.integration.json") : undefined} />;
}
