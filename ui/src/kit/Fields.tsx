// What is filled in, in the elements of an integration. Each field changes a name of the state.
import { useEffect, useId, useRef, useState } from "react";
import { Field as Labelled } from "../look/Field";
import { Switch } from "../look/Switch";
import { t } from "../words/words";
import { useKit } from "./context";
import { Elements } from "./Elements";
import { addressIn, own, textOf, valueIn, type Element, type Option } from "./elements";
import styles from "./Kit.module.css";
import { readOptions } from "./parse";

type Props = { element: Element; label?: string; hint?: Element[] };

// Input is a field with its label and what is said about it.
export function Input({ element }: { element: Element }) {
  const field = element.children[0];
  if (!field) return null;
  if (["textinput", "select", "switch", "checkbox", "radio"].includes(field.kind))
    return <Field element={field} label={element.label} hint={element.hint} />;
  return (
    <div className={styles.field} role="group" aria-label={element.label}>
      <span className={styles.label}>{element.label}</span>
      <Elements list={element.hint.length > 0 ? [{ ...element, kind: "hint", children: element.hint }] : []} />
      <Elements list={[field]} />
    </div>
  );
}

// Field is one of those kinds, with or without a label of its own.
export function Field(props: Props) {
  switch (props.element.kind) {
    case "textinput":
      return <TextInput {...props} />;
    case "select":
      return <Select {...props} />;
    case "switch":
    case "checkbox":
    case "radio":
      return <Choice {...props} />;
    default:
      return null;
  }
}

const named = ({ element, label }: Props) => ({
  label: label || element.placeholder || element.label || element.state,
  hideLabel: !label,
});

function TextInput(props: Props) {
  const { element, hint = [] } = props;
  const { state, set } = useKit();
  const type = element.inputType === "password" || element.inputType === "email" ? element.inputType : "text";
  return (
    <Labelled
      {...named(props)}
      hint={hint.length > 0 && <Elements list={hint} />}
      value={textOf(own(state, element.state))}
      placeholder={element.placeholder}
      disabled={element.disabled}
      autoComplete="off"
      {...(element.multiline ? { control: <textarea rows={4} /> } : { type })}
      onChange={(event) => set(element.state, event.target.value)}
    />
  );
}

// useOptions are those of a list, with those that its address answers with.
function useOptions(element: Element): Option[] {
  const { state, specs } = useKit();
  const address = addressIn(element.optionsAddress, state);
  const [found, setFound] = useState<Option[]>([]);
  useEffect(() => {
    let wanted = true;
    const taken = (list: Option[]) => wanted && setFound(list);
    // A list that does not answer leaves what is chosen.
    const none = () => taken([]);
    if (element.openapi) void specs().then(taken, none);
    else if (address)
      void fetch(address, { credentials: "omit" })
        .then((answer) => answer.json())
        .then((list: unknown) => taken(readOptions(list)), none);
    return () => void (wanted = false);
  }, [address, element.openapi]);
  return [...element.options, ...found];
}

function Select(props: Props) {
  const { element, hint = [] } = props;
  const { state, set, act } = useKit();
  const list = useId();
  const options = useOptions(element);
  const value = own(state, element.state);
  const chosen = (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);
  const settled = useRef(textOf(value));
  const put = (next: string | string[]) => {
    set(element.state, next);
    act(element.change);
  };
  const common = { ...named(props), hint: hint.length > 0 && <Elements list={hint} />, disabled: element.disabled };
  // What is typed counts once it is one of the list, or the typing has ended.
  const settle = (text: string) => {
    if (text === settled.current) return;
    settled.current = text;
    act(element.change);
  };
  if (element.acceptInput && !element.multiple) {
    return (
      <>
        <Labelled
          {...common}
          value={textOf(value)}
          placeholder={element.placeholder}
          list={list}
          onFocus={(event) => void (settled.current = event.target.value)}
          onChange={(event) => {
            set(element.state, event.target.value);
            if (options.some(({ id }) => id === event.target.value)) settle(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            settle(event.currentTarget.value);
          }}
          onBlur={(event) => settle(event.target.value)}
        />
        <datalist id={list}>
          {options.map((each) => (
            <option key={each.id} value={each.id}>
              {each.label}
            </option>
          ))}
        </datalist>
      </>
    );
  }
  // What is chosen stays so while its list is on its way.
  const missing = chosen.filter((each) => !options.some(({ id }) => id === each));
  const drawn = [...options, ...missing.map((id) => ({ id, label: id }))].map((each) => (
    <option key={each.id} value={each.id}>
      {each.label}
    </option>
  ));
  if (element.multiple) {
    const control = (
      <select
        multiple
        value={chosen}
        onChange={(event) => put([...event.currentTarget.selectedOptions].map((option) => option.value))}
      >
        {drawn}
      </select>
    );
    return <Labelled {...common} control={control} />;
  }
  const control = (
    <select value={chosen[0] ?? ""} onChange={(event) => put(event.currentTarget.value)}>
      <option value="">{element.placeholder || t("kit.choose")}</option>
      {drawn}
    </select>
  );
  return <Labelled {...common} control={control} />;
}

function Choice(props: Props) {
  const { element, hint = [] } = props;
  const { state, set, act, sure } = useKit();
  const label = useId();
  const now = own(state, element.state);
  const several = Array.isArray(now) ? now.map(textOf) : [];
  const mine = textOf(element.value);
  const checked =
    element.kind === "radio"
      ? now !== undefined && textOf(now) === mine
      : now === true || (element.kind === "checkbox" && several.includes(mine));
  const put = (on: boolean) =>
    sure(element.confirm, () => {
      if (element.kind === "switch") set(element.state, on);
      else if (element.kind === "radio") set(element.state, element.value);
      else
        set(
          element.state,
          on
            ? [...(Array.isArray(now) ? (now as unknown[]) : []), element.value]
            : (Array.isArray(now) ? (now as unknown[]) : []).filter((each) => textOf(each) !== mine),
        );
      act(element.change);
    });
  return (
    <div className={styles.choice}>
      <span className={styles.about}>
        <span id={label} className={props.label ? styles.label : "visually-hidden"}>
          {named(props).label}
        </span>
        {hint.length > 0 && (
          <span className={styles.hint}>
            <Elements list={hint} />
          </span>
        )}
      </span>
      {element.kind === "switch" ? (
        <Switch checked={checked} onChange={put} labelledBy={label} />
      ) : (
        <input
          type={element.kind === "radio" ? "radio" : "checkbox"}
          checked={checked}
          disabled={element.disabled}
          aria-labelledby={label}
          onChange={(event) => put(event.target.checked)}
        />
      )}
    </div>
  );
}

// EditedCode is code that is changed in place; its script is told when one leaves it.
export function EditedCode({ element }: { element: Element }) {
  const { state, set, act } = useKit();
  const name = element.state || (typeof element.content === "string" ? "" : element.content.state);
  const known = own(state, name);
  const value = known === undefined ? valueIn(element.content, state) : textOf(known);
  const [begun, begin] = useState<string | null>(null);
  return (
    <textarea
      className={styles.source}
      aria-label={element.syntax || t("kit.code")}
      spellCheck={false}
      rows={Math.min(30, Math.max(3, value.split("\n").length))}
      value={value}
      onFocus={() => begin(value)}
      onChange={(event) => name && set(name, event.target.value)}
      onBlur={() => begun !== value && act(element.change)}
    />
  );
}
