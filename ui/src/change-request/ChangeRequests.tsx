// The change requests of a space: a dense table with filters, which live in the address.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowDownUp, GitPullRequestArrow, MessageSquare, UserRound } from "lucide-react";
import { useState } from "react";
import { all } from "../api/all";
import { api } from "../api/client";
import { changeRequests } from "../api/queries";
import { Avatar } from "../look/Avatar";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Menu, MenuChoice, MenuChoices } from "../look/Menu";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { space as spaceQuery } from "../space/queries";
import { Time } from "../words/Time";
import { t } from "../words/words";
import styles from "./ChangeRequests.module.css";
import { type ChangeRequest, me } from "./draft";
import { authors, matching, sorted, sorts } from "./list";
import { Status } from "./Status";

// filters are the lists that one can look at, in the order in which they stand.
export const filters = ["mine", "review", "open", "drafts", "merged", "archived"] as const;
export type Filter = (typeof filters)[number];

// filterOf reads a filter from the address; the first is meant where there is none.
export const filterOf = (text: unknown): Filter => filters.find((each) => each === text) ?? "open";

// step is how many rows are drawn at first, and how many more when they are asked for.
const step = 100;

export function ChangeRequests() {
  const { space = "" }: { space?: string } = useParams({ strict: false });
  const search: { filter?: string; q?: string; sort?: string; author?: string } = useSearch({ strict: false });
  const { filter: text, q = "", author = "" } = search;
  const sort = sorts.find((each) => each === search.sort) ?? "updated";
  const navigate = useNavigate();
  const change = (part: typeof search) =>
    void navigate({
      to: "/spaces/$space/changes",
      params: { space },
      search: { ...search, ...part } as never,
      replace: true,
    });
  const filter = filterOf(text);
  const about = useQuery(spaceQuery(space)).data;
  const user = useQuery(me).data?.id ?? "";
  const asked = useQuery({
    queryKey: changeRequests.list(space, { filter, user }),
    queryFn: () => listed(space, about?.organization ?? "", filter, user),
    enabled: user !== "" && about !== undefined,
  });
  const writers = authors(asked.data ?? []);
  const writer = writers.find(({ user }) => user.id === author);
  const found = asked.data && sorted(matching(asked.data, q, author), sort);
  const [shown, setShown] = useState(step);
  return (
    <div className={styles.screen}>
      <Title text={t("change.list")} />
      <h1 className={styles.title}>{t("change.list")}</h1>
      <nav className={styles.filters} aria-label={t("change.filters")}>
        {filters.map((each) => (
          <Link
            key={each}
            to="/spaces/$space/changes"
            params={{ space }}
            search={{ ...search, filter: each } as never}
            className={styles.filter}
            aria-current={each === filter ? "page" : undefined}
          >
            {t(`change.filter.${each}`)}
          </Link>
        ))}
      </nav>
      <div className={styles.bar}>
        <Field
          label={t("change.search")}
          hideLabel
          type="search"
          placeholder={t("change.search")}
          value={q}
          onChange={(event) => change({ q: event.currentTarget.value })}
        />
        <div className={styles.choices}>
          {(writers.length > 1 || author) && (
            <Menu
              trigger={
                <Button kind="quiet" icon={<UserRound />}>
                  {author ? (writer?.user.displayName ?? t("change.author.none")) : t("change.author.all")}
                </Button>
              }
            >
              <MenuChoices label={t("change.author")} value={author} onChange={(value) => change({ author: value })}>
                <MenuChoice value="">{t("change.author.all")}</MenuChoice>
                {writers.map(({ user, count }) => (
                  <MenuChoice key={user.id} value={user.id}>
                    {t("change.author.count", { name: user.displayName, count })}
                  </MenuChoice>
                ))}
              </MenuChoices>
            </Menu>
          )}
          <Menu
            trigger={
              <Button kind="quiet" icon={<ArrowDownUp />}>
                {t(`change.sort.${sort}`)}
              </Button>
            }
          >
            <MenuChoices label={t("change.sort")} value={sort} onChange={(value) => change({ sort: value })}>
              {sorts.map((each) => (
                <MenuChoice key={each} value={each}>
                  {t(`change.sort.${each}`)}
                </MenuChoice>
              ))}
            </MenuChoices>
          </Menu>
        </div>
      </div>
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={6} />}
      {found?.length === 0 && (
        <EmptyState
          icon={<GitPullRequestArrow />}
          title={q ? t("change.noneFound", { words: q }) : author ? t("change.noneOf") : t(`change.empty.${filter}`)}
          action={
            author ? (
              <Button kind="quiet" onClick={() => change({ author: "" })}>
                {t("change.author.all")}
              </Button>
            ) : (
              !q &&
              filter === "open" && (
                <Link to="/spaces/$space/changes" params={{ space }} search={{ ...search, filter: "drafts" } as never}>
                  {t("change.seeDrafts")}
                </Link>
              )
            )
          }
        >
          {!q && !author && t("change.what")}
        </EmptyState>
      )}
      {found && found.length > 0 && (
        <ul className={styles.rows}>
          {found.slice(0, shown).map((request) => (
            <Row key={request.id} space={space} request={request} />
          ))}
        </ul>
      )}
      {found && found.length > shown && (
        <p className={styles.more}>
          <Button kind="quiet" onClick={() => setShown(shown + step)}>
            {t("change.showMore", { left: found.length - shown })}
          </Button>
        </p>
      )}
    </div>
  );
}

// listed asks for the change requests of a filter. Those that wait for my review are known to the organization alone.
async function listed(space: string, organization: string, filter: Filter, user: string): Promise<ChangeRequest[]> {
  if (filter === "review") {
    const path = { organizationId: organization };
    const found = await all((piece) =>
      api.GET("/v1/orgs/{organizationId}/change-requests", {
        params: { path, query: { ...piece, status: ["open"], requestedReviewer: user } },
      }),
    );
    return found.filter((each) => each.space === space);
  }
  const path = { spaceId: space };
  const list = (query: { status: ChangeRequest["status"]; creator?: string }) =>
    all((piece) =>
      api.GET("/v1/spaces/{spaceId}/change-requests", { params: { path, query: { ...piece, ...query } } }),
    );
  if (filter === "mine") {
    const parts = await Promise.all((["draft", "open"] as const).map((status) => list({ status, creator: user })));
    return parts.flat().sort((a, b) => b.number - a.number);
  }
  return list({ status: filter === "drafts" ? "draft" : filter });
}

function Row({ space, request }: { space: string; request: ChangeRequest }) {
  return (
    <li>
      <Link
        to="/spaces/$space/changes/$number"
        params={{ space, number: String(request.number) }}
        className={styles.row}
      >
        <Status status={request.status} />
        <span className={styles.subject}>{request.subject || t("space.untitledChange")}</span>
        <span className={styles.comments}>
          {request.comments > 0 && (
            <>
              <MessageSquare aria-hidden />
              <span aria-hidden>{request.comments}</span>
              <span className="visually-hidden">{t("change.comments", { count: request.comments })}</span>
            </>
          )}
        </span>
        <span className={styles.number}>#{request.number}</span>
        <span className={styles.author}>
          <Avatar size="small" name={request.createdBy.displayName} />
          {request.createdBy.displayName}
        </span>
        <span className={styles.time}>
          <Time at={request.updatedAt} />
        </span>
      </Link>
    </li>
  );
}
