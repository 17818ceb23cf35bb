// The deleted spaces of an organization: who deleted each, when, and until when it can be restored.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { NotebookText, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { all } from "../api/all";
import { api, taken } from "../api/client";
import { organizations, spaces } from "../api/queries";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import type { Space } from "../space/queries";
import { emojiText } from "../space/tree";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { ForGoodDialog } from "./ForGoodDialog";
import { leftIn } from "./retention";
import styles from "./Trash.module.css";

export function Trash() {
  const { organization } = useParams({ from: "/orgs/$organization/trash" });
  const queries = useQueryClient();
  const [going, setGoing] = useState<Space>();
  const deleted = useQuery({
    queryKey: organizations.trash(organization),
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/trash", { params: { path: { organizationId: organization }, query } }),
      ),
  });
  const restore = useMutation({
    mutationFn: ({ id }: Space) =>
      taken(api.POST("/v1/spaces/{spaceId}/restore", { params: { path: { spaceId: id } } })),
    onSettled: () =>
      Promise.all(
        [organizations.trash(organization), organizations.spaces(organization), spaces.all].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
  if (deleted.isError && !deleted.data)
    return <Refused failure={deleted.error} onRetry={() => void deleted.refetch()} />;
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("trash.title")} />
      <nav className={styles.trail} aria-label={t("home.trail")}>
        <Link to="/orgs/$organization" params={{ organization }}>
          {t("home.title")}
        </Link>
      </nav>
      <h1 className={styles.title}>{t("trash.title")}</h1>
      <p className={styles.about}>{t("trash.text")}</p>
      <p className={styles.said} role="status">
        {restore.isSuccess && (
          <>
            {t("trash.restored", { title: restore.data.title })}{" "}
            <Link to="/spaces/$space" params={{ space: restore.data.id }}>
              {t("trash.open")}
            </Link>
          </>
        )}
      </p>
      {restore.isError && <Failed failure={restore.error} />}
      {deleted.isPending && <Skeleton shape="rows" lines={3} />}
      {deleted.data?.length === 0 && (
        <EmptyState icon={<Trash2 />} title={t("trash.empty")}>
          {t("trash.empty.text")}
        </EmptyState>
      )}
      <ul className={styles.rows}>
        {deleted.data?.map((space) => (
          <li key={space.id} className={styles.row}>
            <span className={styles.sign} aria-hidden>
              {space.emoji ? emojiText(space.emoji) : <NotebookText />}
            </span>
            <div className={styles.words}>
              <span className={styles.name}>{space.title}</span>
              <span className={styles.about}>
                {space.deletedBy ? t("trash.by", { name: space.deletedBy.displayName }) : t("trash.deleted")}{" "}
                <Time at={space.deletedAt ?? ""} />
                {" · "}
                {t("trash.left", { days: leftIn(space.deletedAt ?? "") })}
              </span>
            </div>
            <div className={styles.actions}>
              <Button
                icon={<RotateCcw />}
                busy={restore.isPending && restore.variables.id === space.id}
                onClick={() => restore.mutate(space)}
              >
                {t("trash.restore")}
              </Button>
              <Button
                kind="quiet"
                aria-label={t("trash.purge.of", { title: space.title })}
                onClick={() => setGoing(space)}
              >
                {t("trash.purge")}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {going && <ForGoodDialog organization={organization} space={going} onClose={() => setGoing(undefined)} />}
    </main>
  );
}
