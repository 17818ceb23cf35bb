import { ArrowLeft, ArrowRight, Trash2 } from "lucide-react";
import { Button } from "../../../look/Button";
import { Field } from "../../../look/Field";
import { t } from "../../../words/words";
import type { FormProps } from "../options";
import { movePart, removePart } from "../parts";
import { Form } from "./Controls";
import styles from "./Forms.module.css";
import { textOf, useData } from "./useData";

// TabForm has the options of a tab, and moves or deletes it.
export function TabForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  const $at = at.pos === null ? null : view.state.doc.resolve(at.pos);
  const index = $at?.index() ?? 0;
  const count = $at?.parent.childCount ?? 1;
  const go = (by: -1 | 1) => {
    movePart(view, at, by);
    close();
  };
  return (
    <Form onDone={close}>
      <Field
        label={t("editor.tab.title")}
        value={textOf(data["title"])}
        autoComplete="off"
        onChange={(event) => set({ title: event.target.value })}
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
      <Field
        label={t("blocks.tab.slug")}
        hint={t("blocks.tab.slug.hint")}
        value={textOf(data["slug"])}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => set({ slug: event.target.value.trim() })}
      />
      <div className={styles.buttons}>
        <Button icon={<ArrowLeft />} disabled={index === 0} onClick={() => go(-1)}>
          {t("blocks.earlier")}
        </Button>
        <Button icon={<ArrowRight />} disabled={index === count - 1} onClick={() => go(1)}>
          {t("blocks.later")}
        </Button>
        <Button
          kind="danger"
          icon={<Trash2 />}
          onClick={() => {
            removePart(view, at);
            close();
          }}
        >
          {t("blocks.delete")}
        </Button>
      </div>
    </Form>
  );
}
