// The links of a space: those that lead nowhere first, with the pages that they stand on.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, Link2 } from "lucide-react";
import { usesIn } from "../files/queries";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { pages as pagesQuery } from "../space/queries";
import { find, label } from "../space/tree";
import { t } from "../words/words";
import styles from "./Library.module.css";
import { linkFilters, links, type LinkUsage } from "./queries";

// How many of the pages that a link stands on are named.
const named = 4;

export function Links() {
  const { space = "", number }: { space?: string; number?: string } = useParams({ strict: false });
  const change = number === undefined ? undefined : Number(number);
  const search: { show?: string } = useSearch({ strict: false });
  const filter = linkFilters.find((each) => each === search.show) ?? "broken";
  const asked = useInfiniteQuery(links(space, change, filter));
  const list = asked.data?.pages.flatMap((piece) => piece.items ?? []) ?? [];
  const stats = asked.data?.pages[0]?.stats;
  return (
    <div className={styles.screen}>
      <Title text={t("links.title")} />
      <div className={styles.head}>
        <h1 className={styles.title}>{t("links.title")}</h1>
        <Button kind="quiet" busy={asked.isFetching && !asked.isFetchingNextPage} onClick={() => void asked.refetch()}>
          {t("links.again")}
        </Button>
      </div>
      <nav className={styles.filters} aria-label={t("links.filter")}>
        {linkFilters.map((each) => (
          <Link
            key={each}
            to="."
            search={{ show: each } as never}
            className={styles.filter}
            aria-current={each === filter ? "page" : undefined}
          >
            {t(`links.filter.${each}`, { count: (each === "broken" ? stats?.broken.total : stats?.total) ?? 0 })}
          </Link>
        ))}
      </nav>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={6} />}
      {asked.data && list.length === 0 && (
        <EmptyState
          icon={filter === "broken" ? <CircleCheck /> : <Link2 />}
          title={t(filter === "broken" ? "links.whole" : "links.none")}
        >
          {filter === "broken" && t("links.wholeText")}
        </EmptyState>
      )}
      {list.length > 0 && (
        <ul className={styles.rows}>
          {list.map((link, index) => (
            <Row key={`${link.written} ${index}`} space={space} change={change} link={link} />
          ))}
        </ul>
      )}
      <MoreButton list={asked} className={styles.more} />
    </div>
  );
}

function Row({ space, change, link }: { space: string; change: number | undefined; link: LinkUsage }) {
  const tree = useQuery(pagesQuery(space, change)).data;
  const { written, status, reason, targetReference: target, locationReferences, places } = link;
  const from = usesIn(locationReferences ?? []);
  const leads = target?.page
    ? tree && find(tree, target.page.id)
      ? label(find(tree, target.page.id)!)
      : target.page.title
    : (target?.file?.name ?? target?.reusableContent?.title ?? target?.space?.title);
  return (
    <li className={styles.link} data-status={status}>
      <span className={styles.where}>
        {status === "broken" && <CircleAlert aria-hidden />}
        <code>{written || "—"}</code>
        {leads && <span className={styles.about}>{leads}</span>}
      </span>
      <span className={styles.reason}>{reason ? t(`links.reason.${reason}`) : t(`links.status.${status}`)}</span>
      <span className={styles.from}>
        {from.slice(0, named).map((page) =>
          !page.page ? (
            <span key={page.id}>{page.title}</span>
          ) : change === undefined ? (
            <Link key={page.id} to="/spaces/$space/pages/$page" params={{ space, page: page.id }}>
              {page.title}
            </Link>
          ) : (
            <Link
              key={page.id}
              to="/spaces/$space/changes/$number/pages/$page"
              params={{ space, number: String(change), page: page.id }}
            >
              {page.title}
            </Link>
          ),
        )}
        {from.length > named && <span>{t("tree.delete.more", { count: from.length - named })}</span>}
        {places > from.length && <span className={styles.about}>{t("links.places", { count: places })}</span>}
      </span>
    </li>
  );
}
