// The reusable contents of a space: texts that stand in one place and show wherever they are included.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Ellipsis, Pencil, Plus, Recycle, TextCursorInput, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Uses } from "../files/Uses";
import { AskDialog } from "../look/AskDialog";
import { Button, IconButton } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Menu, MenuItem } from "../look/Menu";
import { NameDialog } from "../look/NameDialog";
import { Skeleton } from "../look/Skeleton";
import { servicesOf } from "../page/services";
import { Title } from "../shell/Title";
import { changed, draftFor, useEditing } from "../space/editing";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import styles from "./Library.module.css";
import { content, usesOfReusable } from "./queries";

const ReusableEditor = lazy(async () => ({ default: (await import("../editor/forms/ReusableEditor")).ReusableEditor }));

type Reusable = { id: string; title: string };
type Asking = { about: "new" } | { about: "rename" | "delete"; reusable: Reusable } | null;

export function Reusables() {
  const { space = "", number }: { space?: string; number?: string } = useParams({ strict: false });
  const change = number === undefined ? undefined : Number(number);
  const { edit }: { edit?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const edits = useQuery(spaceQuery(space)).data?.permissions.edit ?? false;
  const asked = useQuery(content(space, change));
  const [asking, setAsking] = useState<Asking>(null);
  // What is changed on main is changed in a draft, which shows it; the address says what is being written.
  const show = (draft: number, id?: string) =>
    navigate({
      to: "/spaces/$space/changes/$number/reusable-contents",
      params: { space, number: String(draft) },
      search: (id ? { edit: id } : {}) as never,
      replace: draft === change,
    });
  const editing = useEditing(space, change, (draft) => void show(draft));
  const write = useMutation({ mutationFn: async (id: string) => show(await draftFor(queries, space, change), id) });
  const list = (asked.data?.reusableContents ?? []).toSorted((a, b) => a.title.localeCompare(b.title));
  const written = change !== undefined && edits ? list.find((each) => each.id === edit) : undefined;
  const make = async (title: string) => {
    const made = await editing.mutateAsync([
      { operation: "insert_reusable_content", title, document: { markdown: "" } },
    ]);
    const id = made.changes[0]?.reusableContent;
    if (id) await show(made.number, id);
  };
  const add = (
    <Button kind="primary" icon={<Plus />} onClick={() => setAsking({ about: "new" })}>
      {t("reusables.new")}
    </Button>
  );
  return (
    <div className={styles.screen}>
      <Title text={t("reusables.title")} />
      <div className={styles.head}>
        <h1 className={styles.title}>{t("reusables.title")}</h1>
        {edits && add}
      </div>
      {(editing.isError || write.isError) && <Failed failure={editing.error ?? write.error} />}
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={4} />}
      {asked.data && list.length === 0 && (
        <EmptyState icon={<Recycle />} title={t("reusables.none")} action={edits && add}>
          {t("reusables.what")}
        </EmptyState>
      )}
      {list.length > 0 && (
        <ul className={styles.rows}>
          {list.map((reusable) => (
            <li key={reusable.id} className={styles.row}>
              {edits ? (
                <button type="button" className={styles.name} onClick={() => write.mutate(reusable.id)}>
                  {reusable.title || t("tree.untitled")}
                </button>
              ) : (
                <span className={styles.name}>{reusable.title || t("tree.untitled")}</span>
              )}
              {edits && (
                <Menu
                  trigger={
                    <IconButton label={t("files.menu", { name: reusable.title })}>
                      <Ellipsis />
                    </IconButton>
                  }
                >
                  <MenuItem icon={<Pencil />} onClick={() => write.mutate(reusable.id)}>
                    {t("reusables.edit")}
                  </MenuItem>
                  <MenuItem icon={<TextCursorInput />} onClick={() => setAsking({ about: "rename", reusable })}>
                    {t("files.rename")}
                  </MenuItem>
                  <MenuItem danger icon={<Trash2 />} onClick={() => setAsking({ about: "delete", reusable })}>
                    {t("reusables.delete")}
                  </MenuItem>
                </Menu>
              )}
            </li>
          ))}
        </ul>
      )}
      {asking?.about === "new" && (
        <NameDialog
          title={t("reusables.new")}
          label={t("home.spaceTitle")}
          first=""
          action={t("reusables.create")}
          maxLength={100}
          onName={make}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.about === "rename" && (
        <NameDialog
          title={t("reusables.rename")}
          label={t("home.spaceTitle")}
          first={asking.reusable.title}
          action={t("files.rename")}
          maxLength={100}
          onName={(title) =>
            editing.mutateAsync([{ operation: "update_reusable_content", reusableContent: asking.reusable.id, title }])
          }
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.about === "delete" && (
        <AskDialog
          title={t("files.delete.title", { name: asking.reusable.title })}
          text={t("files.delete.what")}
          action={t("reusables.delete")}
          onYes={() => editing.mutate([{ operation: "delete_reusable_content", reusableContent: asking.reusable.id }])}
          onClose={() => setAsking(null)}
        >
          <Uses
            of={usesOfReusable(space, change, asking.reusable.id)}
            some={t("reusables.delete.uses")}
            none={t("reusables.delete.unused")}
          />
        </AskDialog>
      )}
      {written && (
        <Dialog
          open
          shape="large"
          onOpenChange={(open) => !open && void show(change!)}
          title={written.title || t("tree.untitled")}
        >
          <Suspense fallback={<Skeleton lines={4} />}>
            <ReusableEditor
              id={written.id}
              services={servicesOf(queries, { space, change: change!, page: "" })}
              onDone={() => void changed(queries, space, change!).then(() => show(change!))}
            />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}
