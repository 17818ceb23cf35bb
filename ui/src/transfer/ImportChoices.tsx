import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Import.module.css";
import { hasKind, type Kind, kindNames, kinds, mirrors, type Reading } from "./kinds";
import type { Source } from "./sources";

// KindField chooses what made a folder of pages.
export function KindField({
  label,
  hint,
  value,
  found,
  onChange,
}: {
  label: string;
  hint?: string;
  value: Kind | undefined;
  found: string;
  onChange: (kind: Kind | undefined) => void;
}) {
  return (
    <Field
      label={label}
      hint={hint}
      control={
        <select
          value={value ?? ""}
          onChange={(event) => onChange((event.currentTarget.value || undefined) as Kind | undefined)}
        >
          <option value="">{found}</option>
          {kindNames.map((kind) => (
            <option key={kind} value={kind}>
              {kind === "folders" ? t("import.kind.folders") : kinds[kind]}
            </option>
          ))}
        </select>
      }
    />
  );
}

type Props = { source: Source; filled: boolean; reading: Reading; onChange: (reading: Reading) => void };

// ImportChoices asks how a source is taken: what its folder is made with, and whether a space that has pages keeps
// them.
export function ImportChoices({ source, filled, reading, onChange }: Props) {
  return (
    <>
      {filled && mirrors(source) && (
        <fieldset className={styles.ways}>
          <legend className={styles.legend}>{t("import.way")}</legend>
          {([false, true] as const).map((same) => (
            <label key={String(same)} className={styles.way}>
              <input
                type="radio"
                name="way"
                checked={reading.same === same}
                onChange={() => onChange({ ...reading, same })}
              />
              <span>
                <strong>{t(same ? "import.way.same" : "import.way.add")}</strong>
                <span className={styles.about}>{t(same ? "import.way.same.text" : "import.way.add.text")}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {hasKind(source) && (
        <KindField
          label={t("import.kind")}
          hint={t("import.kind.hint")}
          found={t("import.kind.find")}
          value={reading.kind}
          onChange={(kind) => onChange({ ...reading, kind })}
        />
      )}
    </>
  );
}
