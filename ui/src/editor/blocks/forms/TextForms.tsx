// The options of paragraphs and headings.
import { AlignCenter, AlignLeft, AlignRight } from "lucide-react";
import { useState } from "react";
import { Field } from "../../../look/Field";
import { t } from "../../../words/words";
import { anchorOf } from "../anchor";
import type { FormProps } from "../options";
import { nodeOf } from "../track";
import { Choice, Form } from "./Controls";
import { textOf, useData } from "./useData";

function Align({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const options = [
    { value: "start", label: t("blocks.align.start"), icon: <AlignLeft /> },
    { value: "center", label: t("blocks.align.center"), icon: <AlignCenter /> },
    { value: "end", label: t("blocks.align.end"), icon: <AlignRight /> },
  ];
  return (
    <Choice
      label={t("blocks.align")}
      value={value || "start"}
      options={options}
      onChange={(next) => onChange(next === "start" ? "" : next)}
    />
  );
}

export function AlignForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  return (
    <Form onDone={close}>
      <Align value={textOf(data["align"])} onChange={(align) => set({ align })} />
    </Form>
  );
}

// An anchor has no spaces, quotes, angle brackets or "&".
const valid = /^[^\s"'<>`&]{0,256}$/;

export function HeadingForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  const [anchor, setAnchor] = useState(textOf(data["id"]));
  const node = nodeOf(view, at);
  const wrong = !valid.test(anchor);
  return (
    <Form onDone={close}>
      <Field
        label={t("blocks.anchor")}
        hint={t("blocks.anchor.hint")}
        error={wrong ? t("blocks.anchor.wrong") : undefined}
        value={anchor}
        placeholder={node ? anchorOf(node) : ""}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          const next = event.target.value.replace(/^#/, "");
          setAnchor(next);
          if (valid.test(next)) set({ id: next });
        }}
      />
      <Align value={textOf(data["align"])} onChange={(align) => set({ align })} />
    </Form>
  );
}
