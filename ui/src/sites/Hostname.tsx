// A host of the site's own, with the record that proves it.
import { SavedField } from "../options/SavedField";
import { t } from "../words/words";
import type { Site } from "./queries";
import styles from "./Sites.module.css";

type Props = { site: Site; may: boolean; onChange: (hostname: string | null) => Promise<unknown> };

export function Hostname({ site, may, onChange }: Props) {
  const { hostname = "", hostnameProof: proof } = site;
  return (
    <>
      <SavedField
        label={t("sites.hostname")}
        hint={t("sites.hostname.hint")}
        placeholder="docs.example.com"
        value={hostname}
        disabled={!may}
        maxLength={253}
        spellCheck={false}
        autoComplete="off"
        onSave={(text) => onChange(text.trim() || null)}
      />
      {proof?.status === "pending" && (
        <p className={styles.note}>
          {t("sites.hostname.pending")} <code>{`${proof.record.name} ${proof.record.type} ${proof.record.value}`}</code>
        </p>
      )}
      {proof?.status === "proven" && <p className={styles.note}>{t("sites.hostname.proven")}</p>}
    </>
  );
}
