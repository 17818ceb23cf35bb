import { useQuery } from "@tanstack/react-query";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import styles from "./OpenAPI.module.css";
import type { Operation } from "./operations";
import { operationsIn } from "./queries";

// Operations is what a description describes, by tag.
export function Operations({ organization, slug, version }: { organization: string; slug: string; version: string }) {
  const asked = useQuery(operationsIn(organization, slug, version));
  const groups = new Map<string, Operation[]>();
  for (const each of asked.data ?? []) groups.set(each.tag, [...(groups.get(each.tag) ?? []), each]);
  return (
    <section className={styles.part} aria-labelledby="spec-operations">
      <h2 id="spec-operations" className={styles.heading}>
        {t("openapi.operations", { count: asked.data?.length ?? 0 })}
      </h2>
      {asked.isPending && <Skeleton shape="rows" lines={4} />}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data?.length === 0 && <p className={styles.note}>{t("openapi.operations.none")}</p>}
      {[...groups].map(([tag, list]) => (
        <details key={tag} className={styles.tag} open={groups.size === 1}>
          <summary>
            {tag || t("openapi.operations.untagged")} <span className={styles.note}>{list.length}</span>
          </summary>
          <ul className={styles.operations}>
            {list.map((each) => (
              <li key={`${each.method} ${each.path}`} className={styles.operation}>
                <span className={styles.method} data-method={each.method}>
                  {each.method}
                </span>
                <code>{each.path}</code>
                <span className={styles.note}>{each.summary}</span>
                {each.deprecated && <span className={styles.badge}>{t("openapi.deprecated")}</span>}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
