// What links to a page: what is in its space first, then what is in other spaces that one may read.
import { useInfiniteQuery, infiniteQueryOptions } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, type Schemas, taken } from "../api/client";
import { spaces } from "../api/queries";
import { Failed } from "../look/Failed";
import { MoreButton } from "../look/MoreButton";
import { wide } from "../look/useMedia";
import { t } from "../words/words";
import styles from "./OutlinePanel.module.css";
import { label } from "./tree";

// So many are asked for at once.
const some = 50;

const backlinks = (space: string, change: number | undefined, page: string) =>
  infiniteQueryOptions({
    queryKey: [...spaces.content(space, change), "backlinks", page],
    queryFn: ({ pageParam }) => {
      const query = { limit: some, ...(pageParam ? { page: pageParam } : {}) };
      if (change === undefined)
        return taken(
          api.GET("/v1/spaces/{spaceId}/content/page/{pageId}/backlinks", {
            params: { path: { spaceId: space, pageId: page }, query },
          }),
        );
      const path = { spaceId: space, changeRequestId: String(change), pageId: page };
      return taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/backlinks", {
          params: { path, query },
        }),
      );
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
  });

type Props = { space: string; change: number | undefined; page: string };

export function Backlinks({ space, change, page }: Props) {
  const asked = useInfiniteQuery(backlinks(space, change, page));
  const found = asked.data?.pages.flatMap(({ items }) => items ?? []).filter((each) => each.page?.id !== page) ?? [];
  return (
    <section className={styles.backlinks} aria-labelledby="backlinks">
      <h3 id="backlinks" className={styles.heading}>
        {t("backlinks.title")}
      </h3>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && found.length === 0 && <p className={styles.none}>{t("backlinks.none")}</p>}
      {found.length > 0 && (
        <ul className={styles.links} aria-labelledby="backlinks">
          {found.map((each, index) => (
            <li key={index}>
              <From space={space} change={change} at={each} />
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={asked} />
    </section>
  );
}

function From({ space, change, at }: { space: string; change: number | undefined; at: Schemas["ContentLocation"] }) {
  const { page, reusableContent } = at;
  // The page stands in another space, where the change request is not.
  const other = at.space && at.space.id !== space ? at.space : undefined;
  if (!page)
    return (
      <span className={styles.none}>
        {t("backlinks.reusable", { title: reusableContent?.title || t("tree.untitled") })}
      </span>
    );
  const title = label(page) || t("tree.untitled");
  // Beside the page the panel stays, on top of it it makes way.
  const search = { panel: matchMedia(wide).matches ? "outline" : undefined } as never;
  if (change === undefined || other) {
    return (
      <Link to="/spaces/$space/pages/$page" params={{ space: other?.id ?? space, page: page.id }} search={search}>
        {title}
        {other && <span className={styles.none}> · {other.title}</span>}
      </Link>
    );
  }
  return (
    <Link
      to="/spaces/$space/changes/$number/pages/$page"
      params={{ space, number: String(change), page: page.id }}
      search={search}
    >
      {title}
    </Link>
  );
}
