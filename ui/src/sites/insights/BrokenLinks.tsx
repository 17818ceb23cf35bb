import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck } from "lucide-react";
import { api, taken } from "../../api/client";
import { spaces } from "../../api/queries";
import { Failed } from "../../look/Failed";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import { structureOf } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import { rowsOf } from "../structure/rows";
import styles from "./Feedback.module.css";

// BrokenLinks says which spaces of the site have links that lead nowhere.
export function BrokenLinks() {
  const { organization, site } = useShown();
  const structure = useQuery(structureOf(organization, site.id));
  const list = [
    ...new Map(
      rowsOf(structure.data?.structure ?? []).flatMap((row) =>
        row.kind === "site-space" ? [[row.of.space.id, row.of.space]] : [],
      ) as [string, { id: string; title: string }][],
    ).values(),
  ];
  const asked = useQueries({
    queries: list.map(({ id }) => ({
      queryKey: [...spaces.content(id), "links", "stats"],
      queryFn: async () =>
        (
          await taken(
            api.GET("/v1/spaces/{spaceId}/links", {
              params: { path: { spaceId: id }, query: { limit: 1, status: "broken" as const } },
            }),
          )
        ).stats,
    })),
  });
  const failed = asked.find(({ isError }) => isError);
  const broken = list.flatMap((space, index) => {
    const stats = asked[index]?.data;
    return stats && stats.broken.total > 0 ? [{ ...space, stats }] : [];
  });
  return (
    <section aria-labelledby="site-broken" className={styles.answers}>
      <h2 id="site-broken" className={sites.heading}>
        {t("siteInsights.broken")}
      </h2>
      <p className={sites.note}>{t("siteInsights.broken.text")}</p>
      {failed && <Failed failure={failed.error} onRetry={() => void failed.refetch()} />}
      {(structure.isPending || asked.some(({ isPending }) => isPending)) && <Skeleton shape="rows" lines={2} />}
      {structure.data && asked.every(({ data }) => data) && broken.length === 0 && (
        <p className={styles.whole}>
          <CircleCheck aria-hidden /> {t("siteInsights.broken.none")}
        </p>
      )}
      {broken.length > 0 && (
        <ul className={sites.rows}>
          {broken.map(({ id, title, stats }) => (
            <li key={id} className={sites.link}>
              <Link to="/spaces/$space/links" params={{ space: id }} className={sites.label}>
                {title}
              </Link>
              <span className={styles.broken}>
                <CircleAlert aria-hidden />{" "}
                {t("siteInsights.broken.count", { count: stats.broken.total, all: stats.total })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
