import type { ReactNode } from "react";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { t } from "../words/words";
import { ImportChanges } from "./ImportChanges";
import styles from "./Import.module.css";
import type { Import } from "./queries";

type Props = { result: Import; onYes: () => void; onNo: () => void; children: ReactNode };

// ImportPreview says what would become of a space's pages before they become the same as the source's. Nothing has
// happened yet.
export function ImportPreview({ result, onYes, onNo, children }: Props) {
  const { changes } = result.report;
  const removed = changes?.removed.total ?? 0;
  const none = !changes || removed + changes.moved.total + changes.updated.total + changes.added.total === 0;
  return (
    <div className={styles.report}>
      <Banner kind={removed > 0 ? "warning" : "info"}>{t(none ? "import.preview.none" : "import.preview")}</Banner>
      {children}
      {changes && <ImportChanges changes={changes} would />}
      <p className={styles.about}>{t("import.preview.stay")}</p>
      <div className={styles.line}>
        <Button onClick={onNo}>{t("look.cancel")}</Button>
        <Button kind={removed > 0 ? "danger" : "primary"} onClick={onYes}>
          {removed > 0 ? t("import.preview.yes", { count: removed }) : t("import.preview.same")}
        </Button>
      </div>
    </div>
  );
}
