import { t } from "../../../words/words";
import type { FormProps } from "../options";
import { Form, Toggle } from "./Controls";
import { useData } from "./useData";

// ExpandableForm says whether an expandable section is open at first.
export function ExpandableForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  return (
    <Form onDone={close}>
      <Toggle
        label={t("blocks.open")}
        checked={data["defaultExpanded"] === true}
        onChange={(on) => set({ defaultExpanded: on })}
      />
    </Form>
  );
}
