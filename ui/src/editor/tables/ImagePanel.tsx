// The image of a cell: one of the space's, a new one or an address; how it fits, and its words for those who do not
// see.
import { useState } from "react";
import { Button } from "../../look/Button";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import { addressOf } from "../address";
import { fileChoices } from "../picker/choices";
import type { Choice } from "../picker/choice";
import { Picker } from "../picker/Picker";
import type { Ref } from "../services";
import type { Cell } from "./cellPanel";
import styles from "./panels.module.css";
import { UploadRow } from "./UploadRow";
import { refOf } from "./values";

const fits = ["cover", "contain", "fill"] as const;

type Image = { alt?: string; objectFit?: string };

// valueFor is the reference alone where nothing more is said of an image.
const valueFor = (ref: Ref, { alt, objectFit }: Image) =>
  alt || objectFit ? { ref, ...(objectFit ? { objectFit } : {}), ...(alt ? { alt } : {}) } : ref;

export function ImagePanel({ cell }: { cell: Cell }) {
  const value = cell.node()?.attrs["value"] as unknown;
  const ref = refOf(value);
  const [said, setSaid] = useState<Image>(ref && value !== ref ? (value as Image) : {});
  const choose = (next: Ref) => {
    cell.set(valueFor(next, said));
    cell.close();
  };
  const say = (change: Image) => {
    const next = { ...said, ...change };
    setSaid(next);
    if (ref) cell.set(valueFor(ref, next));
  };
  const search = async (words: string): Promise<Choice<Ref>[]> => {
    const address = addressOf(words);
    const found = await fileChoices(cell.services, words, (file) => file.type.startsWith("image/"));
    const files = found.map((choice) => ({ ...choice, value: { kind: "file", file: choice.value.id } as Ref }));
    return address && /^https?:/.test(address)
      ? [...files, { id: "address", title: address, value: { kind: "url", url: address } }]
      : files;
  };
  return (
    <div className={styles.panel}>
      <Picker<Ref> label={t("editor.table.image.find")} search={search} onChoose={choose} onCancel={cell.close} />
      {ref && (
        <div className={styles.form}>
          <Field
            label={t("editor.image.alt")}
            value={said.alt ?? ""}
            onChange={(event) => say({ alt: event.target.value })}
          />
          <label className={styles.row}>
            {t("editor.table.image.fit")}
            <select value={said.objectFit ?? ""} onChange={(event) => say({ objectFit: event.target.value })}>
              <option value="">{t("editor.table.image.fit.auto")}</option>
              {fits.map((fit) => (
                <option key={fit} value={fit}>
                  {t(`editor.table.image.fit.${fit}`)}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <div className={styles.foot}>
        <UploadRow
          services={cell.services}
          accept="image/*"
          onDone={(file) => choose({ kind: "file", file: file.id })}
        />
        {ref && (
          <Button
            kind="quiet"
            onClick={() => {
              cell.set(null);
              cell.close();
            }}
          >
            {t("editor.table.clear")}
          </Button>
        )}
      </div>
    </div>
  );
}
