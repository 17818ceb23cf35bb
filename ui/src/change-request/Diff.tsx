// What a change request changes, or what differs between two of its revisions, such as since a review.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Banner } from "../look/Banner";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { space as spaceOf } from "../space/queries";
import { t } from "../words/words";
import { byEntity, type Entity } from "./changes";
import { ChangeTabs } from "./ChangeFrame";
import { ConflictNotice } from "./ConflictNotice";
import styles from "./Diff.module.css";
import { DiffScreen, type Search } from "./DiffScreen";
import { type ChangeRequest, isLive, me } from "./draft";
import { changeRequest, changesBetween, changesIn, changesOf, differsIn } from "./queries";
import { ReviewDialog } from "./ReviewForm";
import { useViewed } from "./useViewed";

export function Diff() {
  const { space = "", number: text = "" }: { space?: string; number?: string } = useParams({ strict: false });
  const request = useQuery(changeRequest(space, Number(text)));
  const user = useQuery(me).data;
  if (request.isError && !request.data)
    return <Refused failure={request.error} onRetry={() => void request.refetch()} />;
  return (
    <>
      <Title text={t("diff.title")} />
      <div className={styles.tabs}>
        <ChangeTabs space={space} number={text} tab="changes" />
        {request.data && <ConflictNotice space={space} number={request.data.number} live={isLive(request.data)} />}
      </div>
      {request.data && user ? <Changes space={space} request={request.data} user={user.id} /> : <Skeleton lines={8} />}
    </>
  );
}

function Changes({ space, request, user }: { space: string; request: ChangeRequest; user: string }) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { number } = request;
  const between = search.from ? { from: search.from, to: search.to ?? request.revision } : undefined;
  const whole = useQuery({ ...changesOf(space, number), enabled: !between });
  const part = useQuery({ ...changesBetween(space, between?.from, between?.to ?? ""), enabled: between !== undefined });
  const list = between ? part : whole;
  const entities = byEntity(list.data?.changes ?? []);
  const diffOf = (each: Entity) =>
    between ? differsIn(space, between.from, between.to, each) : changesIn(space, request, each);
  const looked = useViewed(user, space, request, between ? [] : entities);
  const may = useQuery(spaceOf(space)).data?.permissions;
  const place = { space, number: String(number) };
  const show = (change: Search) => {
    const next = { ...search, ...change };
    void navigate({
      to: "/spaces/$space/changes/$number/diff",
      params: place,
      search: next as never,
      replace: change.mode !== undefined,
    });
  };
  return (
    <DiffScreen
      space={space}
      list={list}
      entities={entities}
      empty={t(between ? "diff.sameText" : "change.nothingText")}
      diffOf={diffOf}
      search={search}
      onShow={show}
      change={between ? undefined : number}
      looked={between ? undefined : looked}
      review={
        between || !isLive(request) || !may?.comment
          ? undefined
          : (dialog) => (
              <ReviewDialog
                {...dialog}
                space={space}
                request={request}
                review={may.review && request.status === "open"}
                onSent={() => void navigate({ to: "/spaces/$space/changes/$number/conversation", params: place })}
              />
            )
      }
    >
      {between && (
        <Banner
          className={styles.between}
          actions={
            <Link
              to="/spaces/$space/changes/$number/diff"
              params={place}
              className={styles.back}
            >
              {t("diff.whole")}
            </Link>
          }
        >
          {t(search.to ? "diff.between" : "diff.since")}
        </Banner>
      )}
    </DiffScreen>
  );
}
