import { type ReactNode, useEffect, useRef } from "react";
import type { Schemas } from "../api/client";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { t } from "../words/words";
import { changed, ImportChanges } from "./ImportChanges";
import styles from "./Import.module.css";
import type { Import } from "./queries";

// So many of what was left out are named.
const named = 200;

// left is what the browser left out of a folder, by path.
type Props = {
  result: Import;
  left: string[];
  onShown: () => void;
  onAgain: () => void;
  after: () => ReactNode;
  children: ReactNode;
};

// ImportReport says what came of an import: how much is there now, and by file and line what was not kept as it was.
export function ImportReport({ result, left, onShown, onAgain, after, children }: Props) {
  const { state, report, message } = result;
  // What the space has was read before the import ended.
  const shown = useRef(onShown);
  useEffect(() => shown.current(), []);
  const clean = [report.skipped, report.notUnderstood, report.broken].every(({ total }) => total === 0);
  if (state !== "done") {
    return (
      <div className={styles.report}>
        <Banner
          kind={state === "failed" ? "danger" : "info"}
          actions={<Button onClick={onAgain}>{t("import.again")}</Button>}
        >
          {state === "failed" ? message || t("failure.unknown") : t("import.cancelled")}
        </Banner>
      </div>
    );
  }
  return (
    <div className={styles.report}>
      <Banner kind="success">{t("import.done", { pages: report.pages, files: report.files })}</Banner>
      {children}
      {changed(report.changes) && <ImportChanges changes={report.changes} would={false} />}
      {clean && <p className={styles.about}>{t("import.clean")}</p>}
      <Noted title={t("import.notUnderstood")} notes={report.notUnderstood} />
      {left.length > 0 && (
        <details className={styles.notes}>
          <summary>
            {t("import.left")} <span className={styles.count}>{left.length}</span>
          </summary>
          <ul>
            {left.slice(0, named).map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
            {left.length > named && <li>{t("import.rest", { count: left.length - named })}</li>}
          </ul>
        </details>
      )}
      <Noted title={t("import.skipped")} notes={report.skipped} />
      <Noted title={t("import.broken")} notes={report.broken} />
      <div className={styles.line}>
        {after()}
        <Button kind="quiet" onClick={onAgain}>
          {t("import.more")}
        </Button>
      </div>
    </div>
  );
}

function Noted({ title, notes: { total, items } }: { title: string; notes: Schemas["Notes"] }) {
  if (total === 0) return null;
  const rest = total - (items?.length ?? 0);
  return (
    <details className={styles.notes}>
      <summary>
        {title} <span className={styles.count}>{total}</span>
      </summary>
      <ul>
        {(items ?? []).map(({ place, target, message }, index) => (
          <li key={index}>
            <code>{place}</code> {message} {target && <code>{target}</code>}
          </li>
        ))}
        {rest > 0 && <li>{t("import.rest", { count: rest })}</li>}
      </ul>
    </details>
  );
}
