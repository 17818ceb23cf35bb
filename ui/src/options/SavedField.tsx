// A field whose text is saved by itself: a moment after the last key, and when it is left. What is refused stays and
// says why.
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Field } from "../look/Field";
import { failureText } from "../look/Failed";

// So long nobody types before it is saved, in milliseconds.
const quiet = 1000;

type Props = Omit<ComponentProps<typeof Field>, "value" | "defaultValue" | "onChange" | "error"> & {
  value: string;
  onSave: (value: string) => Promise<unknown>;
};

export function SavedField({ value, onSave, ...rest }: Props) {
  // What is typed and not saved yet.
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState("");
  const timer = useRef<number>(undefined);
  // What was sent and is not answered.
  const sent = useRef<string>(undefined);
  const now = useRef({ typed, value, onSave });
  now.current = { typed, value, onSave };
  const save = async () => {
    clearTimeout(timer.current);
    const { typed: text, value: known, onSave: send } = now.current;
    if (text !== null && text === sent.current) return;
    // A text that is typed back is sent, too, when another one is under way.
    if (text === null || (text === known && sent.current === undefined)) return setTyped(null);
    sent.current = text;
    try {
      await send(text);
      setFault("");
      // What was typed meanwhile is another text.
      if (now.current.typed === text) setTyped(null);
    } catch (failure) {
      setFault(failureText(failure));
    } finally {
      if (sent.current === text) sent.current = undefined;
    }
  };
  // What is left when the panel closes is sent.
  useEffect(
    () => () =>
      void (
        now.current.typed !== null &&
        now.current.typed !== sent.current &&
        now.current.typed !== now.current.value &&
        now.current.onSave(now.current.typed).catch(() => undefined)
      ),
    [],
  );
  return (
    <Field
      {...rest}
      value={typed ?? value}
      error={fault}
      onChange={(event) => {
        setTyped(event.target.value);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => void save(), quiet);
      }}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing && event.currentTarget.tagName !== "TEXTAREA")
          void save();
      }}
    />
  );
}
