import {
  AlignVerticalJustifyCenter,
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  Plus,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../../look/Button";
import { Field } from "../../../look/Field";
import { t } from "../../../words/words";
import type { Data } from "../../document";
import { mostColumns } from "../beside";
import { change } from "../data";
import type { FormProps } from "../options";
import { addPart, removePart } from "../parts";
import { nodeOf, track, type Tracked } from "../track";
import { Choice, Form, Toggle } from "./Controls";
import styles from "./Forms.module.css";
import { textOf, useData } from "./useData";

// ColumnsForm has the columns with their widths and where they stand, and adds and removes them.
export function ColumnsForm({ view, at, close }: FormProps) {
  const [data, set] = useData(view, at);
  const [, draw] = useState(0);
  const node = nodeOf(view, at);
  if (!node || at.pos === null) return null;
  const places: Tracked[] = [];
  node.forEach((_child, offset) => places.push(track(view, at.pos! + 1 + offset)));
  const did = (what: () => void) => {
    what();
    draw((n) => n + 1);
  };
  return (
    <Form onDone={close}>
      <div className={styles.rows}>
        {places.map((place, index) => (
          <Column
            key={index}
            n={index + 1}
            data={node.child(index).attrs["data"] as Data}
            onChange={(values) => did(() => change(view, place, values))}
            onRemove={places.length > 1 ? () => did(() => removePart(view, place)) : undefined}
          />
        ))}
      </div>
      <Button
        icon={<Plus />}
        disabled={places.length >= mostColumns}
        onClick={() => did(() => addPart(view, places.at(-1)!))}
      >
        {t("blocks.column.add")}
      </Button>
      <Toggle label={t("blocks.full")} checked={data["fullWidth"] === true} onChange={(on) => set({ fullWidth: on })} />
    </Form>
  );
}

type ColumnProps = { n: number; data: Data; onChange: (values: Data) => void; onRemove: (() => void) | undefined };

function Column({ n, data, onChange, onRemove }: ColumnProps) {
  const width = data["width"] as { unit?: string; value?: number } | undefined;
  const pixels = width?.unit === "px";
  const options = [
    { value: "top", label: t("blocks.valign.top"), icon: <AlignVerticalJustifyStart /> },
    { value: "middle", label: t("blocks.valign.middle"), icon: <AlignVerticalJustifyCenter /> },
    { value: "bottom", label: t("blocks.valign.bottom"), icon: <AlignVerticalJustifyEnd /> },
  ];
  return (
    <fieldset className={styles.column}>
      <legend>{t("blocks.column", { n })}</legend>
      <div className={styles.row}>
        <Field
          label={t(pixels ? "blocks.column.pixels" : "blocks.column.width")}
          type="number"
          min={5}
          max={pixels ? 2000 : 100}
          step={pixels ? 10 : 5}
          placeholder={t("blocks.column.auto")}
          value={width?.value === undefined ? "" : String(width.value)}
          onChange={(event) => {
            const value = Math.min(pixels ? 2000 : 100, Math.floor(Number(event.target.value)));
            onChange({ width: value > 0 ? { unit: width?.unit ?? "%", value } : undefined });
          }}
        />
        {onRemove && (
          <IconButton label={t("blocks.column.remove", { n })} onClick={onRemove}>
            <Trash2 />
          </IconButton>
        )}
      </div>
      <Choice
        label={t("blocks.valign")}
        value={textOf(data["verticalAlignment"]) || "top"}
        options={options}
        onChange={(value) => onChange({ verticalAlignment: value === "top" ? undefined : value })}
      />
    </fieldset>
  );
}
