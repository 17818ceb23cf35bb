import { Field } from "../../../look/Field";
import { t } from "../../../words/words";
import type { FormProps } from "../options";
import { Form } from "./Controls";
import { useData } from "./useData";

// ListForm has the number that a list begins with.
export function ListForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  return (
    <Form onDone={close}>
      <Field
        label={t("blocks.list.start")}
        type="number"
        min={0}
        max={999_999_999}
        placeholder="1"
        value={typeof data["start"] === "number" ? String(data["start"]) : ""}
        onChange={(event) => {
          const number = Math.floor(Number(event.target.value));
          set({
            start:
              event.target.value === "" || number === 1 || !(number >= 0 && number <= 999_999_999) ? undefined : number,
          });
        }}
      />
    </Form>
  );
}
