// The files of a space, on main or in a change request: a grid or a list, uploads by button and by dropping them
// anywhere. What is shown is in the address.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowDownUp, FileUp, LayoutGrid, List, Upload as UploadIcon } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { AskDialog } from "../look/AskDialog";
import { Button, IconButton } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Menu, MenuChoice, MenuChoices } from "../look/Menu";
import { NameDialog } from "../look/NameDialog";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { useEditing } from "../space/editing";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import { AlternativeTexts } from "./AlternativeTexts";
import styles from "./Files.module.css";
import { FileItem } from "./FileItem";
import { arranged, type File, files as filesQuery, sorts, undescribed, usesOf } from "./queries";
import { PictureTexts } from "./PictureTexts";
import { Uploads } from "./Uploads";
import { Uses } from "./Uses";
import { useUploads } from "./useUploads";

type Search = { q?: string; sort?: string; view?: string };
// What is asked about a file in a dialog.
type Asking = { about: "rename" | "delete" | "texts"; file: File } | { about: "alt" } | null;

export function Files() {
  const { space = "", number }: { space?: string; number?: string } = useParams({ strict: false });
  const change = number === undefined ? undefined : Number(number);
  const search: Search = useSearch({ strict: false });
  const { q = "", view = "grid" } = search;
  const sort = sorts.find((each) => each === search.sort) ?? "name";
  const navigate = useNavigate();
  const show = (part: Search) => void navigate({ to: ".", search: { ...search, ...part } as never, replace: true });
  // What is changed on main is changed in a draft, which shows it.
  const lead = (draft: number) => {
    if (change === undefined)
      void navigate({
        to: "/spaces/$space/changes/$number/files",
        params: { space, number: String(draft) },
        search: search as never,
      });
  };
  const about = useQuery(spaceQuery(space)).data;
  const edits = about?.permissions.edit ?? false;
  const asked = useQuery(filesQuery(space, change));
  const silent = useQuery(undescribed(space, change)).data ?? [];
  const editing = useEditing(space, change, lead);
  const { uploads, ...sending } = useUploads(space, change, lead);
  const [asking, setAsking] = useState<Asking>(null);
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const replaced = useRef<string | undefined>(undefined);
  const choose = (file?: File) => {
    replaced.current = file?.id;
    if (chooser.current) chooser.current.multiple = !file;
    chooser.current?.click();
  };
  const found = asked.data && arranged(asked.data, q, sort);

  const drag = edits && {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) =>
      !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      sending.add([...event.dataTransfer.files]);
    },
  };
  const upload = (
    <Button kind="primary" icon={<UploadIcon />} onClick={() => choose()}>
      {t("files.upload")}
    </Button>
  );
  return (
    <div className={styles.screen} data-over={over || undefined} {...drag}>
      <Title text={t("files.title")} />
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={t("files.upload")}
        onChange={(event) => {
          sending.add([...(event.target.files ?? [])], replaced.current);
          event.target.value = "";
        }}
      />
      <div className={styles.head}>
        <h1 className={styles.title}>{t("files.title")}</h1>
        {edits && upload}
      </div>
      {over && <p className={styles.drop}>{t("files.drop")}</p>}
      <Uploads uploads={uploads} onCancel={sending.cancel} onRetry={sending.retry} />
      {editing.isError && <Failed failure={editing.error} />}
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={6} />}
      {asked.data && asked.data.length > 0 && (
        <div className={styles.bar}>
          <Field
            label={t("files.search")}
            hideLabel
            type="search"
            placeholder={t("files.search")}
            value={q}
            onChange={(event) => show({ q: event.currentTarget.value })}
          />
          <Menu
            trigger={
              <Button kind="quiet" icon={<ArrowDownUp />}>
                {t(`files.sort.${sort}`)}
              </Button>
            }
          >
            <MenuChoices label={t("files.sort")} value={sort} onChange={(value) => show({ sort: value })}>
              {sorts.map((each) => (
                <MenuChoice key={each} value={each}>
                  {t(`files.sort.${each}`)}
                </MenuChoice>
              ))}
            </MenuChoices>
          </Menu>
          <IconButton
            label={t(view === "grid" ? "files.asList" : "files.asGrid")}
            onClick={() => show({ view: view === "grid" ? "list" : "grid" })}
          >
            {view === "grid" ? <List /> : <LayoutGrid />}
          </IconButton>
        </div>
      )}
      {silent.length > 0 && (
        <p className={styles.silent}>
          {t("files.alt.missing", { count: silent.length })}
          {edits && (
            <Button kind="quiet" onClick={() => setAsking({ about: "alt" })}>
              {t("files.alt.write")}
            </Button>
          )}
        </p>
      )}
      {found?.length === 0 && (
        <EmptyState
          icon={<FileUp />}
          title={q ? t("files.noneFound", { words: q }) : t("files.none")}
          action={!q && edits && upload}
        >
          {!q && t(edits ? "files.noneText" : "files.noneReader")}
        </EmptyState>
      )}
      {found && found.length > 0 && (
        <ul className={view === "grid" ? styles.grid : styles.rows} aria-label={t("files.title")}>
          {found.map((file) => (
            <FileItem
              key={file.id}
              file={file}
              view={view}
              silent={silent.filter(({ ref }) => ref.file === file.id).length}
              edits={edits}
              onTexts={() => setAsking({ about: "texts", file })}
              onReplace={() => choose(file)}
              onRename={() => setAsking({ about: "rename", file })}
              onDelete={() => setAsking({ about: "delete", file })}
            />
          ))}
        </ul>
      )}
      {asking?.about === "alt" && (
        <AlternativeTexts
          space={space}
          change={change}
          pictures={silent}
          files={asked.data ?? []}
          onClose={(draft) => {
            setAsking(null);
            if (draft !== undefined) lead(draft);
          }}
        />
      )}
      {asking?.about === "texts" && (
        <PictureTexts
          space={space}
          change={change}
          file={asking.file}
          onClose={(draft) => {
            setAsking(null);
            if (draft !== undefined) lead(draft);
          }}
        />
      )}
      {asking?.about === "rename" && (
        <NameDialog
          title={t("files.rename.title")}
          label={t("files.name")}
          first={asking.file.name}
          action={t("files.rename")}
          maxLength={255}
          prose={false}
          onName={(name) => editing.mutateAsync([{ operation: "update_file", file: asking.file.id, name }])}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.about === "delete" && (
        <AskDialog
          title={t("files.delete.title", { name: asking.file.name })}
          text={t("files.delete.what")}
          action={t("files.delete")}
          onYes={() => editing.mutate([{ operation: "delete_file", file: asking.file.id }])}
          onClose={() => setAsking(null)}
        >
          <Uses
            of={usesOf(space, change, asking.file.id)}
            some={t("files.delete.uses")}
            none={t("files.delete.unused")}
          />
        </AskDialog>
      )}
    </div>
  );
}
