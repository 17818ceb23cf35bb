import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { FilePlus, FileText } from "lucide-react";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import styles from "./Reading.module.css";
import { pages as pagesQuery, space as spaceQuery } from "./queries";
import { firstReadable } from "./tree";
import { useNewPage } from "./useNewPage";

// FirstPage is a space, or a change request, without a page in its address: it opens with its first page, or asks for
// one to be written.
export function FirstPage() {
  const { space = "", number }: { space?: string; number?: string } = useParams({ strict: false });
  const change = number === undefined ? undefined : Number(number);
  const about = useQuery(spaceQuery(space)).data;
  const asked = useQuery(pagesQuery(space, change));
  const newPage = useNewPage(space, change);
  const first = asked.data && firstReadable(asked.data);
  if (first && number !== undefined)
    return (
      <Navigate to="/spaces/$space/changes/$number/pages/$page" params={{ space, number, page: first.id }} replace />
    );
  if (first) return <Navigate to="/spaces/$space/pages/$page" params={{ space, page: first.id }} replace />;
  if (asked.isError)
    return (
      <div className={styles.column}>
        <Failed failure={asked.error} onRetry={() => void asked.refetch()} />
      </div>
    );
  if (!asked.data || !about)
    return (
      <div className={styles.column}>
        <Skeleton lines={6} />
      </div>
    );
  const write = (
    <Button kind="primary" icon={<FilePlus />} busy={newPage.isPending} onClick={() => newPage.mutate()}>
      {t("space.writeFirst")}
    </Button>
  );
  return (
    <>
      <Title text={about.title} />
      <EmptyState icon={<FileText />} title={t("space.empty")} level={1} action={about.permissions.edit && write}>
        {t(about.permissions.edit ? "space.emptyWriter" : "space.emptyReader")}
        {newPage.isError && <Failed failure={newPage.error} />}
      </EmptyState>
    </>
  );
}
