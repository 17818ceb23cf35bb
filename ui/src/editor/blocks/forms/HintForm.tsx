import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "lucide-react";
import { Button } from "../../../look/Button";
import { Field } from "../../../look/Field";
import { t } from "../../../words/words";
import { unwrap } from "../change";
import type { FormProps } from "../options";
import { Choice, Form } from "./Controls";
import styles from "./Forms.module.css";
import { textOf, useData } from "./useData";

// HintForm has the options of a hint. The name of an icon is one of those that sites have.
export function HintForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  const options = [
    { value: "info", label: t("editor.hint.info"), icon: <Info /> },
    { value: "success", label: t("editor.hint.success"), icon: <CircleCheck /> },
    { value: "warning", label: t("editor.hint.warning"), icon: <TriangleAlert /> },
    { value: "danger", label: t("editor.hint.danger"), icon: <OctagonAlert /> },
  ];
  return (
    <Form onDone={close}>
      <Choice
        label={t("blocks.style")}
        value={textOf(data["style"]) || "info"}
        options={options}
        onChange={(style) => set({ style })}
      />
      <Field
        label={t("blocks.icon")}
        hint={t("blocks.icon.hint")}
        value={textOf(data["icon"])}
        placeholder="rocket"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => set({ icon: event.target.value.trim() })}
      />
      <div className={styles.buttons}>
        <Button
          onClick={() => {
            unwrap(view, at);
            close();
          }}
        >
          {t("blocks.unwrap")}
        </Button>
      </div>
    </Form>
  );
}
