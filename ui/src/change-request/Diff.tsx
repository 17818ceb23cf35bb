// What a change request changes, one thing after the other: the list at the left, the diff of one at the right. Which one,
// how it shows, and between which revisions are in the address. J and K go from change to change, V marks as viewed.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { FileDiff } from "lucide-react";
import { Banner } from "../look/Banner";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { byEntity, type Entity } from "./changes";
import { ChangedList } from "./ChangedList";
import { ChangeTabs } from "./ChangeFrame";
import styles from "./Diff.module.css";
import { DiffOne } from "./DiffOne";
import { type ChangeRequest, me } from "./draft";
import { changeRequest, changesBetween, changesOf, pageBetween, pageChanges } from "./queries";
import { useViewed } from "./useViewed";

export type Search = { page?: string; mode?: string; from?: string; to?: string };

export function Diff() {
  const { space = "", number: text = "" }: { space?: string; number?: string } = useParams({ strict: false });
  const request = useQuery(changeRequest(space, Number(text)));
  const user = useQuery(me).data;
  if (request.isError && !request.data) return <Refused failure={request.error} onRetry={() => void request.refetch()} />;
  return (
    <>
      <Title text={t("diff.title")} />
      <div className={styles.tabs}>
        <ChangeTabs space={space} number={text} tab="changes" />
      </div>
      {request.data && user ? <Changes space={space} request={request.data} user={user.id} /> : <Skeleton lines={8} />}
    </>
  );
}

function Changes({ space, request, user }: { space: string; request: ChangeRequest; user: string }) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { number } = request;
  // Between two revisions, such as since a review, instead of all that the change request changes.
  const between = search.from ? { from: search.from, to: search.to ?? request.revision } : undefined;
  const whole = useQuery({ ...changesOf(space, number), enabled: !between });
  const part = useQuery({ ...changesBetween(space, between?.from, between?.to ?? ""), enabled: between !== undefined });
  const list = between ? part : whole;
  const entities = byEntity(list.data?.changes ?? []);
  const at = Math.max(0, entities.findIndex((each) => each.id === search.page));
  const entity = entities[at];
  const diffOf = (each: Entity) => (between ? pageBetween(space, between.from, between.to, each.id) : pageChanges(space, request, each.id));
  const looked = useViewed(user, space, request, between ? [] : entities);
  const show = (change: Search) => {
    const next = { ...search, ...change };
    void navigate({ to: "/spaces/$space/changes/$number/diff", params: { space, number: String(number) }, search: next as never, replace: change.mode !== undefined });
  };
  const near = (each: Entity | undefined) => each?.page && void queries.prefetchQuery(diffOf(each) as ReturnType<typeof pageChanges>);
  if (list.data && entities.length === 0) {
    return (
      <EmptyState icon={<FileDiff />} title={t("diff.same")} level={1}>
        {t(between ? "diff.sameText" : "change.nothingText")}
      </EmptyState>
    );
  }
  return (
    <div className={styles.screen}>
      <nav className={styles.pages} aria-label={t("diff.pages")}>
        {list.isPending && <Skeleton shape="rows" lines={4} />}
        {list.isError && <Failed failure={list.error} onRetry={() => void list.refetch()} />}
        {!between && entities.length > 0 && (
          <p className={styles.count} role="status">
            {t("diff.count", { viewed: looked.count, count: entities.length })}
          </p>
        )}
        <ChangedList entities={entities} current={entity} viewed={between ? undefined : looked.viewed} onShow={(each) => show({ page: each.id })} onNear={near} />
        {list.data?.more ? <p className={styles.count}>{t("diff.more", { count: list.data.more })}</p> : null}
      </nav>
      <section className={styles.diff} aria-labelledby="diff-title">
        {between && (
          <Banner
            className={styles.between}
            actions={
              <Link to="/spaces/$space/changes/$number/diff" params={{ space, number: String(number) }} className={styles.back}>
                {t("diff.whole")}
              </Link>
            }
          >
            {t(search.to ? "diff.between" : "diff.since")}
          </Banner>
        )}
        {entity ? (
          <DiffOne
            key={entity.id}
            space={space}
            entity={entity}
            ends={{ from: list.data?.base, to: list.data?.head }}
            diff={diffOf(entity) as ReturnType<typeof pageChanges>}
            change={between ? undefined : number}
            mode={search.mode}
            onMode={(mode) => show({ mode })}
            onGo={(by) => {
              const next = entities[at + by];
              if (next) show({ page: next.id });
            }}
            onReady={() => near(entities[at + 1])}
            viewed={between ? undefined : looked.viewed(entity)}
            onViewed={(diff) => looked.toggle(entity, diff)}
          />
        ) : (
          <Skeleton lines={8} />
        )}
      </section>
    </div>
  );
}
