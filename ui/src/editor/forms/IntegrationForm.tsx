// The properties of a block of an integration: texts as they are, everything else as JSON. More are added and taken
// away.
import { Plus, X } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { Button, IconButton } from "../../look/Button";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import type { Data } from "../document";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

export function IntegrationForm({ data, change }: FormProps) {
  const [props, setProps] = useState((data["props"] ?? {}) as Data);
  // Two fields may be changed before either is drawn again.
  const latest = useRef(props);
  const put = (next: Data) => {
    latest.current = next;
    setProps(next);
    change({ props: next });
  };
  const set = (name: string, value: unknown) => put({ ...latest.current, [name]: value });
  const remove = (name: string) => {
    const { [name]: _, ...rest } = latest.current;
    put(rest);
  };
  const names = Object.keys(props);
  return (
    <>
      {names.length === 0 && <p className={styles.note}>{t("editor.integration.none")}</p>}
      {names.map((name, i) => (
        <div key={name} className={styles.property}>
          {typeof props[name] === "boolean" ? (
            <Check name={name} value={props[name]} set={set} />
          ) : (
            <Value name={name} value={props[name]} first={i === 0} set={set} />
          )}
          <IconButton label={t("editor.integration.remove", { name })} onClick={() => remove(name)}>
            <X />
          </IconButton>
        </div>
      ))}
      <Another taken={names} set={set} />
    </>
  );
}

// What Markdown can have as the name of a property.
const named = /^[A-Za-z][\w-]*$/;

// valueOf is a value as it is meant: what is JSON as that, everything else as text.
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// Another adds a property.
function Another({ taken, set }: { taken: string[]; set: Set }) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const wanted = name.trim();
  const fault =
    wanted && !named.test(wanted)
      ? t("editor.integration.name.fault")
      : taken.includes(wanted)
        ? t("editor.integration.name.taken")
        : undefined;
  const add = () => {
    if (!wanted || fault) return;
    set(wanted, valueOf(value));
    setName("");
    setValue("");
  };
  const entered = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  return (
    <div className={styles.another} role="group" aria-label={t("editor.integration.add")} onKeyDown={entered}>
      <Field
        label={t("editor.integration.name")}
        value={name}
        autoComplete="off"
        error={fault}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label={t("editor.integration.value")}
        value={value}
        autoComplete="off"
        onChange={(event) => setValue(event.target.value)}
      />
      <Button icon={<Plus />} disabled={!wanted || fault !== undefined} onClick={add}>
        {t("editor.integration.add.do")}
      </Button>
    </div>
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
  return (
    <Field
      label={name}
      value={text}
      autoFocus={first}
      control={<textarea rows={1} className={styles.source} spellCheck={false} />}
      onChange={(event) => write(event.target.value)}
      error={fault ? t("editor.integration.json") : undefined}
    />
  );
}
