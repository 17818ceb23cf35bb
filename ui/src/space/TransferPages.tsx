// Takes pages to another space: out of the change request here, into the person's draft there. Each merges by itself.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { api, type Schemas, taken } from "../api/client";
import { changeRequests, spaces as spaceKeys } from "../api/queries";
import { startDraft } from "../change-request/draft";
import { collectionsOf, spacesOf } from "../home/queries";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { pathOf } from "../places/MoveDialog";
import styles from "../places/Places.module.css";
import { t } from "../words/words";
import { draftFor } from "./editing";
import { type Page, pages as pagesQuery, space as spaceQuery } from "./queries";
import { fold, label } from "./tree";

export type Transferred = { number: number; moved: Schemas["MovedPages"] };

type Props = {
  space: string;
  change: number | undefined;
  pages: Page[];
  onDone: (done: Transferred) => void;
  onClose: () => void;
};

// From so many spaces on there is a field to search with.
const searched = 8;

export function TransferPages({ space, change, pages, onDone, onClose }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const organization = useQuery(spaceQuery(space)).data?.organization;
  const asked = useQuery({ ...spacesOf(organization ?? ""), enabled: organization !== undefined });
  const collections =
    useQuery({ ...collectionsOf(organization ?? ""), enabled: organization !== undefined }).data ?? [];
  const [into, setInto] = useState("");
  const [words, setWords] = useState("");
  const able = (asked.data ?? [])
    .filter((each) => each.permissions.edit && each.id !== space)
    .map((each) => ({
      id: each.id,
      title: each.title,
      path: [pathOf(collections, each.parent), each.title].filter(Boolean).join(" / "),
    }));
  const shown = able.filter(({ path }) => fold(path).includes(fold(words)));
  const title = able.find((each) => each.id === into)?.title ?? "";
  const moving = useMutation({
    mutationFn: async () => {
      const [number, there] = [await draftFor(queries, space, change), (await startDraft(queries, into)).number];
      const params = { path: { spaceId: space, changeRequestId: String(number) } };
      const body = { pages: pages.map(({ id }) => id), target: { space: into, changeRequest: String(there) } };
      const moved = await taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/moves", { params, body }),
      );
      return { number, there, moved };
    },
    onSuccess: async ({ number, there, moved }) => {
      await Promise.all(
        [
          spaceKeys.changedPages(space, number),
          spaceKeys.content(space, number),
          changeRequests.changes(space, number),
          changeRequests.one(into, there),
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
      // The tree is there when the screen goes on into the draft, and this dialog stays.
      await queries.fetchQuery(pagesQuery(space, number));
      onDone({ number, moved });
    },
  });
  const done = moving.data;
  const [first] = pages;
  const heading =
    first && pages.length === 1
      ? t("tree.transfer.title", { title: label(first) || t("tree.untitled") })
      : t("tree.transfer.titleAll", { count: pages.length });
  const actions = done ? (
    <>
      <Link
        to="/spaces/$space/changes/$number"
        params={{ space: into, number: String(done.there) }}
        className={buttonClass()}
      >
        {t("tree.transfer.see")}
      </Link>
      <Button kind="primary" onClick={onClose}>
        {t("look.close")}
      </Button>
    </>
  ) : (
    <>
      <Button onClick={onClose}>{t("look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={moving.isPending} disabled={into === ""}>
        {t("tree.transfer.go")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={heading}
      description={t("tree.transfer.what")}
      actions={actions}
    >
      {done ? (
        <Banner kind="success">
          <p>{t("tree.transfer.done", { count: done.moved.pages?.length ?? 0, number: done.there, space: title })}</p>
          <p>{t("tree.transfer.next")}</p>
        </Banner>
      ) : (
        <form
          id={form}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            moving.mutate();
          }}
        >
          {able.length > searched && (
            <Field
              label={t("tree.transfer.search")}
              hideLabel
              type="search"
              placeholder={t("tree.transfer.search")}
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
          )}
          {asked.isPending && <Skeleton shape="rows" lines={3} />}
          {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
          {able.length > 0 && (
            <fieldset className={styles.choices}>
              <legend className="visually-hidden">{t("tree.transfer.where")}</legend>
              {shown.map(({ id, path }) => (
                <label key={id} className={styles.choice}>
                  <input type="radio" name="space" value={id} checked={into === id} onChange={() => setInto(id)} />
                  {path}
                </label>
              ))}
            </fieldset>
          )}
          {asked.data && able.length === 0 && <p className={styles.quiet}>{t("tree.transfer.none")}</p>}
          {moving.isError && <Failed failure={moving.error} />}
        </form>
      )}
    </Dialog>
  );
}
