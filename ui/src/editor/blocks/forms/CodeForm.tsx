import { Field } from "../../../look/Field";
import { t } from "../../../words/words";
import type { FormProps } from "../options";
import { Form, Toggle } from "./Controls";
import { textOf, useData } from "./useData";

// CodeForm has the options of a code block but its language, which is chosen in its head.
export function CodeForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  const lines = typeof data["collapsedLineCount"] === "number" ? data["collapsedLineCount"] : undefined;
  return (
    <Form onDone={close}>
      <Field
        label={t("blocks.code.title")}
        value={textOf(data["title"])}
        placeholder="main.go"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => set({ title: event.target.value })}
      />
      <Toggle
        label={t("blocks.code.numbers")}
        checked={data["lineNumbers"] === true}
        onChange={(on) => set({ lineNumbers: on })}
      />
      <Toggle
        label={t("blocks.code.wrap")}
        checked={data["overflow"] === "wrap"}
        onChange={(on) => set({ overflow: on ? "wrap" : undefined })}
      />
      <Toggle label={t("blocks.full")} checked={data["fullWidth"] === true} onChange={(on) => set({ fullWidth: on })} />
      <Toggle
        label={t("blocks.code.expandable")}
        checked={data["expandable"] === true}
        onChange={(on) => set(on ? { expandable: true } : { expandable: undefined, collapsedLineCount: undefined })}
      />
      {data["expandable"] === true && (
        <Field
          label={t("blocks.code.lines")}
          type="number"
          min={1}
          max={1000}
          placeholder="10"
          value={lines === undefined ? "" : String(lines)}
          onChange={(event) =>
            set({ collapsedLineCount: Math.min(1000, Math.floor(Number(event.target.value))) || undefined })
          }
        />
      )}
    </Form>
  );
}
