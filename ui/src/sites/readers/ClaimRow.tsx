import { Trash2 } from "lucide-react";
import { IconButton } from "../../look/Button";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import sites from "../Sites.module.css";
import type { Claim, Kind } from "./claims";
import styles from "./Readers.module.css";

const kinds: Kind[] = ["string", "choice", "boolean", "number"];

// ClaimRow is one claim: its name, what it may be, and who says it.
export function ClaimRow({
  claim,
  disabled,
  onChange,
}: {
  claim: Claim;
  disabled: boolean;
  onChange: (claim: Claim | null) => void;
}) {
  const kept = claim.kind === "kept";
  return (
    <li className={styles.claim}>
      <Field
        label={t("siteReaders.claim.name")}
        value={claim.name}
        disabled={disabled || kept}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        placeholder="plan"
        onChange={(event) => onChange({ ...claim, name: event.target.value.trim() })}
      />
      {kept ? (
        <p className={sites.note}>{t("siteReaders.claim.kept")}</p>
      ) : (
        <>
          <Field
            label={t("siteReaders.claim.kind")}
            value={claim.kind}
            disabled={disabled}
            onChange={(event) => onChange({ ...claim, kind: event.target.value as Kind, values: [] })}
            control={
              <select>
                {kinds.map((each) => (
                  <option key={each} value={each}>
                    {t(`siteReaders.kind.${each}`)}
                  </option>
                ))}
              </select>
            }
          />
          {claim.kind === "choice" && (
            <Field
              key={claim.kind}
              label={t("siteReaders.claim.values")}
              hint={t("siteReaders.claim.values.hint")}
              defaultValue={claim.values.join(", ")}
              disabled={disabled}
              autoComplete="off"
              placeholder="free, pro"
              onChange={(event) =>
                onChange({
                  ...claim,
                  values: event.target.value
                    .split(",")
                    .map((each) => each.trim())
                    .filter(Boolean),
                })
              }
            />
          )}
          <Field
            label={t("siteReaders.claim.description")}
            value={claim.description}
            disabled={disabled}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => onChange({ ...claim, description: event.target.value })}
          />
          <Field
            label={t("siteReaders.claim.from")}
            value={claim.signed ? "signed" : "unsigned"}
            disabled={disabled}
            onChange={(event) => onChange({ ...claim, signed: event.target.value === "signed" })}
            control={
              <select>
                {(["signed", "unsigned"] as const).map((each) => (
                  <option key={each} value={each}>
                    {t(`siteReaders.from.${each}`)}
                  </option>
                ))}
              </select>
            }
          />
        </>
      )}
      {!disabled && (
        <IconButton
          label={t("siteReaders.claim.delete", { name: claim.name })}
          className={styles.remove!}
          onClick={() => onChange(null)}
        >
          <Trash2 />
        </IconButton>
      )}
    </li>
  );
}
