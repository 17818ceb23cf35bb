import { useState } from "react";
import { Button } from "../look/Button";
import { t } from "../words/words";
import { KindField } from "./ImportChoices";
import styles from "./Import.module.css";
import { type Kind, kinds } from "./kinds";
import type { Import } from "./queries";

// asked is what a person has chosen, fresh whether all that the space has comes from this import.
type Props = { result: Import; asked: Kind | undefined; fresh: boolean; onRead: (kind: Kind) => void };

// ImportDetected says what a folder was taken for, and reads it again as something else.
export function ImportDetected({ result, asked, fresh, onRead }: Props) {
  const [kind, choose] = useState<Kind>();
  const found = result.report.detected;
  if (!found) return null;
  const name = kinds[found.generator as keyof typeof kinds] ?? t("import.kind.folders");
  const adds = !result.dryRun && !result.mirror && !fresh;
  return (
    <section className={styles.detected} aria-label={t("import.detected.title")}>
      <p>
        {asked
          ? t("import.detected.asked", { name })
          : found.generator === "folders"
            ? t("import.detected.none")
            : t("import.detected.found", { name })}
        {!asked && found.generator !== "folders" && (
          <>
            {" "}
            <code>{found.because}</code>
          </>
        )}
      </p>
      <details>
        <summary>{t("import.detected.wrong")}</summary>
        <div className={styles.line}>
          <KindField label={t("import.kind")} found={t("import.detected.choose")} value={kind} onChange={choose} />
          <Button disabled={!kind} onClick={() => kind && onRead(kind)}>
            {t("import.detected.read")}
          </Button>
        </div>
        {adds && <p className={styles.about}>{t("import.detected.adds")}</p>}
      </details>
    </section>
  );
}
