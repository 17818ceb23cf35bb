import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { api, taken } from "../api/client";
import { changeRequests, spaces } from "../api/queries";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import { family } from "./arrange";
import styles from "./DeletePage.module.css";
import type { Page } from "./queries";
import { label } from "./tree";

// How many pages are looked at for links, and how many that link are named.
const most = 25;
const named = 8;

// linking asks which pages that stay link to those that go.
const linking = (space: string, change: number | undefined, ids: string[]) =>
  queryOptions({
    queryKey: [
      ...(change === undefined ? spaces.pages(space) : changeRequests.changes(space, change)),
      "linking",
      ...ids,
    ],
    staleTime: 0,
    queryFn: async () => {
      const found = new Map<string, string>();
      for (const pageId of ids.slice(0, most)) {
        const query = { limit: 100 };
        const list = await taken(
          change === undefined
            ? api.GET("/v1/spaces/{spaceId}/content/page/{pageId}/backlinks", {
                params: { path: { spaceId: space, pageId }, query },
              })
            : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/backlinks", {
                params: { path: { spaceId: space, changeRequestId: String(change), pageId }, query },
              }),
        );
        for (const { page, reusableContent } of list.items ?? []) {
          const from = page ?? reusableContent;
          if (from && !ids.includes(from.id)) found.set(from.id, page ? label(page) : (reusableContent?.title ?? ""));
        }
      }
      return [...found.values()];
    },
  });

type Props = { space: string; change: number | undefined; pages: Page[]; onDelete: () => void; onClose: () => void };

// DeletePage asks before pages go with all below them, and says what links there, once for all.
export function DeletePage({ space, change, pages, onDelete, onClose }: Props) {
  const [first] = pages;
  const ids = pages.flatMap(family);
  const asked = useQuery(linking(space, change, ids));
  const cancel = useRef<HTMLButtonElement>(null);
  const links = asked.data ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        first && pages.length === 1
          ? t("tree.delete.title", { title: label(first) || t("tree.untitled") })
          : t("tree.delete.titleAll", { count: pages.length })
      }
      description={t(pages.length === 1 ? "tree.delete.what" : "tree.delete.whatAll")}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t("look.cancel")}
          </Button>
          <Button kind="danger" onClick={onDelete}>
            {t("tree.delete")}
          </Button>
        </>
      }
    >
      <div className={styles.text}>
        {ids.length > pages.length && <p>{t("tree.delete.below", { count: ids.length - pages.length })}</p>}
        {asked.isPending && <Skeleton shape="rows" lines={1} />}
        {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
        {asked.data && <p>{t(links.length > 0 ? "tree.delete.links" : "tree.delete.none")}</p>}
        {links.length > 0 && (
          <ul className={styles.list}>
            {links.slice(0, named).map((title, index) => (
              <li key={index}>{title}</li>
            ))}
            {links.length > named && <li>{t("tree.delete.more", { count: links.length - named })}</li>}
          </ul>
        )}
        {ids.length > most && <p>{t("tree.delete.part", { count: most })}</p>}
      </div>
    </Dialog>
  );
}
