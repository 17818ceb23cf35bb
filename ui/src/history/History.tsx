// The history of a space: the revisions of its main content by day, the newest first. Any two can be compared, and the
// space can go back to one.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { GitMerge, History as HistoryIcon, Pencil, RefreshCw, Undo2 } from "lucide-react";
import { useState } from "react";
import { api, taken } from "../api/client";
import { spaces } from "../api/queries";
import { Avatar } from "../look/Avatar";
import { Button, buttonClass } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { pages, space as spaceQuery } from "../space/queries";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { GoBack } from "./GoBack";
import styles from "./History.module.css";
import { days, type Revision, revisions } from "./queries";

const icons = { edits: Pencil, merge: GitMerge, rollback: Undo2, update: RefreshCw, computed: RefreshCw };

// named says what a revision is: in its author's words, or by its kind.
export const named = ({ type, message }: Pick<Revision, "type" | "message">) => message || t(`commits.${type}`);

export function History() {
  const { space = "" }: { space?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const edits = useQuery(spaceQuery(space)).data?.permissions.merge ?? false;
  const asked = useInfiniteQuery(revisions(space));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [back, setBack] = useState<Revision | null>(null);
  const list = asked.data?.pages.flatMap((piece) => piece.items ?? []) ?? [];
  // The older of two is what the newer one is compared with.
  const [to, from] = list.filter((each) => chosen.includes(each.id)).map((each) => each.id);
  const choose = (id: string) =>
    setChosen((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now.slice(-1), id]));
  const rollback = useMutation({
    mutationFn: (revision: Revision) =>
      taken(
        api.POST("/v1/spaces/{spaceId}/revisions/{revisionId}/rollback", {
          params: { path: { spaceId: space, revisionId: revision.id } },
          body: { message: t("history.backMessage", { name: named(revision) }) },
        }),
      ),
    onSuccess: async () => {
      setBack(null);
      await Promise.all(
        [
          spaces.revisions(space),
          spaces.one(space),
          pages(space).queryKey,
          spaces.content(space),
          ["spaces", space, "page"],
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
  });
  return (
    <div className={styles.screen}>
      <Title text={t("history.title")} />
      <div className={styles.head}>
        <h1 className={styles.title}>{t("history.title")}</h1>
        {from && to ? (
          <Link
            to="/spaces/$space/revisions/$revision"
            params={{ space, revision: to }}
            search={{ from } as never}
            className={buttonClass("primary")}
          >
            {t("commits.compare")}
          </Link>
        ) : (
          list.length > 1 && <p className={styles.hint}>{t("commits.hint")}</p>
        )}
      </div>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={8} />}
      {asked.data && list.length === 0 && (
        <EmptyState icon={<HistoryIcon />} title={t("history.none")}>
          {t("history.noneText")}
        </EmptyState>
      )}
      {days(list, document.documentElement.lang).map(({ day, list: made }) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.day}>{day}</h2>
          <ol className={styles.rows}>
            {made.map((each) => (
              <Row
                key={each.id}
                space={space}
                revision={each}
                now={each === list[0]}
                chosen={chosen.includes(each.id)}
                onChoose={() => choose(each.id)}
                onBack={edits ? () => setBack(each) : undefined}
              />
            ))}
          </ol>
        </section>
      ))}
      <MoreButton list={asked} className={styles.more} />
      {back && (
        <GoBack
          revision={back}
          busy={rollback.isPending}
          failure={rollback.error}
          onBack={() => rollback.mutate(back)}
          onClose={() => {
            setBack(null);
            rollback.reset();
          }}
        />
      )}
    </div>
  );
}

type RowProps = {
  space: string;
  revision: Revision;
  now: boolean;
  chosen: boolean;
  onChoose: () => void;
  onBack: (() => void) | undefined;
};

function Row({ space, revision, now, chosen, onChoose, onBack }: RowProps) {
  const Icon = icons[revision.type];
  const name = named(revision);
  return (
    <li className={styles.row}>
      <input
        type="checkbox"
        className={styles.box}
        aria-label={t("commits.choose", { name })}
        checked={chosen}
        onChange={onChoose}
      />
      <Icon aria-hidden className={styles.icon} />
      <Link to="/spaces/$space/revisions/$revision" params={{ space, revision: revision.id }} className={styles.name}>
        {name}
      </Link>
      <span className={styles.author}>
        <Avatar size="small" name={revision.author.displayName} />
        <span className={styles.who}>{revision.author.displayName}</span>
      </span>
      <span className={styles.time}>
        <Time at={revision.createdAt} />
      </span>
      {now ? (
        <span className={styles.now}>{t("history.now")}</span>
      ) : (
        onBack && (
          <Button kind="quiet" className={styles.back} aria-label={t("history.backTo", { name })} onClick={onBack}>
            {t("history.back")}
          </Button>
        )
      )}
    </li>
  );
}
