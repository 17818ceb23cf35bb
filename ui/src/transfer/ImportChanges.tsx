import type { Schemas } from "../api/client";
import { t } from "../words/words";
import styles from "./Import.module.css";

const parts = ["removed", "moved", "updated", "added"] as const;

// changed reports whether an import does something to pages that were there.
export const changed = (changes: Schemas["Changes"] | undefined): changes is Schemas["Changes"] =>
  changes !== undefined && changes.updated.total + changes.moved.total + changes.removed.total > 0;

// ImportChanges lists what becomes of pages, first those that go. would says that it has not happened yet.
export function ImportChanges({ changes, would }: { changes: Schemas["Changes"]; would: boolean }) {
  return parts.map((part) => {
    const { total, items } = changes[part];
    if (total === 0) return null;
    const rest = total - (items?.length ?? 0);
    return (
      <details key={part} className={styles.notes} open={would && part === "removed"}>
        <summary>
          {t(`import.pages.${part}`)} <span className={styles.count}>{total}</span>
        </summary>
        <ul>
          {(items ?? []).map(({ place, target, message }, index) => (
            <li key={index}>
              {message} <code>{place}</code>
              {target && (
                <>
                  {" "}
                  {t("import.pages.before")} <code>{target}</code>
                </>
              )}
            </li>
          ))}
          {rest > 0 && <li>{t("import.rest", { count: rest })}</li>}
        </ul>
      </details>
    );
  });
}
