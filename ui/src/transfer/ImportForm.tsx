import { Upload } from "lucide-react";
import { type DragEvent, type FormEvent, useRef, useState } from "react";
import { Button } from "../look/Button";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Import.module.css";
import { chosen, dropped, type Folder } from "./folder";
import { ImportChoices } from "./ImportChoices";
import type { Reading } from "./kinds";
import { type Source, sourceNames, sources } from "./sources";

// From is where the docs come from.
export type From =
  | { kind: "file"; source: Source; file: File }
  | { kind: "folder"; source: Source; name: string; read: () => Promise<Folder> }
  | { kind: "address"; source: Exclude<Source, "folder">; url: string };

// filled says that the space has pages.
type Props = {
  filled: boolean;
  reading: Reading;
  onReading: (reading: Reading) => void;
  onStart: (from: From) => void;
};

// ImportForm asks where the docs are now, how they are taken, and for the file or address.
export function ImportForm({ filled, reading, onReading, onStart }: Props) {
  const [source, setSource] = useState<Source>("zip");
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const { needs, accept } = sources[source];
  const take = (file: File | undefined) => file && onStart({ kind: "file", source, file });
  const takeFolder = (files: File[]) => {
    const [first] = files;
    if (first)
      onStart({
        kind: "folder",
        source: "folder",
        name: first.webkitRelativePath.split("/")[0] ?? "",
        read: () => Promise.resolve().then(() => chosen(files)),
      });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url")).trim();
    if (url && source !== "folder") onStart({ kind: "address", source, url });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [first] = event.dataTransfer.files;
    const read = dropped(event.dataTransfer.items);
    if (read) onStart({ kind: "folder", source: "folder", name: first?.name ?? "", read });
    else take(first);
  };
  return (
    <div className={styles.form}>
      <fieldset className={styles.sources}>
        <legend className={styles.legend}>{t("import.from")}</legend>
        {sourceNames.map((name) => {
          const Icon = sources[name].icon;
          return (
            <label key={name} className={styles.source}>
              <input
                type="radio"
                name="source"
                value={name}
                checked={name === source}
                onChange={() => setSource(name)}
              />
              <Icon aria-hidden />
              {t(`import.source.${name}`)}
            </label>
          );
        })}
      </fieldset>
      <p className={styles.about}>{t(`import.about.${source}`)}</p>
      <ImportChoices source={source} filled={filled} reading={reading} onChange={onReading} />
      {needs !== "address" ? (
        <div
          className={styles.drop}
          data-over={over || undefined}
          onDragOver={(event) => (event.preventDefault(), setOver(true))}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <p>{t(needs === "folder" ? "import.dropFolder" : "import.drop")}</p>
          <Button kind="primary" icon={<Upload />} onClick={() => chooser.current?.click()}>
            {t(needs === "folder" ? "import.chooseFolder" : "import.choose")}
          </Button>
          {needs === "folder" ? (
            <input
              key="folder"
              ref={chooser}
              type="file"
              hidden
              {...{ webkitdirectory: "" }}
              aria-label={t("import.chooseFolder")}
              onChange={(event) => takeFolder([...(event.currentTarget.files ?? [])])}
            />
          ) : (
            <input
              key="file"
              ref={chooser}
              type="file"
              hidden
              accept={accept}
              aria-label={t("import.choose")}
              onChange={(event) => take(event.currentTarget.files?.[0])}
            />
          )}
        </div>
      ) : (
        <form className={styles.line} onSubmit={submit}>
          <Field
            name="url"
            type="url"
            label={t("import.address")}
            required
            placeholder={t(`import.example.${source as "website" | "github-wiki" | "google-docs"}`)}
            autoComplete="off"
          />
          <Button kind="primary" type="submit">
            {t("import.go")}
          </Button>
        </form>
      )}
    </div>
  );
}
