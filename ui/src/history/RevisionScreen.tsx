// What a revision of main changed, or what differs between two of them; a page of it can be put into the person's draft
// as it was.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { byEntity } from "../change-request/changes";
import { DiffScreen, type Search } from "../change-request/DiffScreen";
import diffStyles from "../change-request/Diff.module.css";
import { changesBetween, differsIn } from "../change-request/queries";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { useEditing } from "../space/editing";
import { space as spaceQuery } from "../space/queries";
import { exactly } from "../words/time";
import { t } from "../words/words";
import { revision as revisionQuery } from "./queries";

export function RevisionScreen() {
  const { space = "", revision: id = "" }: { space?: string; revision?: string } = useParams({ strict: false });
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const asked = useQuery(revisionQuery(space, id));
  const edits = useQuery(spaceQuery(space)).data?.permissions.edit ?? false;
  const from = search.from ?? asked.data?.parents?.[0];
  const list = useQuery({ ...changesBetween(space, from, id), enabled: from !== undefined });
  const entities = byEntity(list.data?.changes ?? []);
  const shown = entities.find((each) => each.id === search.page) ?? entities[0];
  const restore = useEditing(
    space,
    undefined,
    (number) =>
      void navigate({
        to: "/spaces/$space/changes/$number/pages/$page",
        params: { space, number: String(number), page: shown?.id ?? "" },
      }),
  );
  const show = (change: Search) =>
    void navigate({ to: ".", search: { ...search, ...change } as never, replace: change.mode !== undefined });
  if (asked.isError) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton lines={8} />;
  const moment = exactly(asked.data.createdAt);
  return (
    <>
      <Title text={t("history.title")} />
      {from === undefined ? (
        <EmptyState title={t("history.first")} level={1}>
          {moment}
        </EmptyState>
      ) : (
        <DiffScreen
          space={space}
          list={list}
          entities={entities}
          empty={t("diff.sameText")}
          diffOf={(each) => differsIn(space, list.data?.base ?? from, list.data?.head ?? id, each)}
          search={search}
          onShow={show}
        >
          <Banner
            className={diffStyles.between}
            actions={
              <>
                {edits && shown?.page && shown.kind !== "deleted" && (
                  <Button
                    busy={restore.isPending}
                    onClick={() => restore.mutate([{ operation: "revert_page", page: shown.id, revision: id }])}
                  >
                    {t("history.restorePage")}
                  </Button>
                )}
                <Link to="/spaces/$space/history" params={{ space }} className={diffStyles.back}>
                  {t("history.title")}
                </Link>
              </>
            }
          >
            {t(search.from ? "history.between" : "history.changed", { moment })}
          </Banner>
          {restore.isError && <Failed failure={restore.error} />}
        </DiffScreen>
      )}
    </>
  );
}
