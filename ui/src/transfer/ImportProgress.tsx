import { Button } from "../look/Button";
import { t } from "../words/words";
import styles from "./Import.module.css";
import type { Import } from "./queries";

// While the number of pages is not known, the bar shows that something happens.
type Props = { now: Import | undefined; part: number; packing: boolean; stopping: boolean; onCancel: () => void };

// ImportProgress says how far an import is: a folder is packed, the file goes up, then its pages are made.
export function ImportProgress({ now, part, packing, stopping, onCancel }: Props) {
  const known = now ? now.total > 0 : part > 0;
  const done = now ? now.done / Math.max(1, now.total) : part;
  const text = !now
    ? t(packing ? "import.packing" : "import.sending", { percent: Math.round(part * 100) })
    : known
      ? t("import.pages", { done: now.done, total: now.total })
      : t("import.reading");
  return (
    <div className={styles.progress}>
      <progress
        className={styles.bar}
        aria-label={t("import.progress")}
        {...(known ? { value: Math.min(1, done) } : {})}
      />
      <p role="status">{text}</p>
      {now?.message && <p className={styles.about}>{now.message}</p>}
      <Button busy={stopping} onClick={onCancel}>
        {t("look.cancel")}
      </Button>
    </div>
  );
}
