// What can be put on a site: a section with a space, a further variant in a section or on the site, a group.
import { useQuery } from "@tanstack/react-query";
import { Columns3, FolderTree, NotebookText } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { api, taken } from "../../api/client";
import { spacesOf } from "../../home/queries";
import { Button } from "../../look/Button";
import { Dialog } from "../../look/Dialog";
import { Failed } from "../../look/Failed";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import { at, root } from "../queries";
import { useShown } from "../shown";
import type { Row } from "./rows";
import styles from "./Structure.module.css";

type Kind = "space" | "section" | "group";

export function Add({ rows }: { rows: Row[] }) {
  const [adding, add] = useState<Kind>();
  return (
    <div className={styles.line}>
      <Button icon={<NotebookText />} onClick={() => add("space")}>
        {t(rows.length === 0 ? "siteStructure.add.first" : "siteStructure.add.space")}
      </Button>
      {rows.length > 0 && (
        <>
          <Button icon={<Columns3 />} onClick={() => add("section")}>
            {t("siteStructure.add.section")}
          </Button>
          <Button icon={<FolderTree />} onClick={() => add("group")}>
            {t("siteStructure.add.group")}
          </Button>
        </>
      )}
      {adding && <AddDialog kind={adding} rows={rows} onClose={() => add(undefined)} />}
    </div>
  );
}

function AddDialog({ kind, rows, onClose }: { kind: Kind; rows: Row[]; onClose: () => void }) {
  const { organization, site, change } = useShown();
  const spaces = useQuery(spacesOf(organization));
  const form = useId();
  const path = at(organization, site.id);
  const there = new Set(rows.flatMap((row) => (row.kind === "site-space" ? [row.of.space.id] : [])));
  const sections = rows.filter((row) => row.kind === "site-section");
  const groups = rows.filter((row) => row.kind === "site-section-group" && row.level === 1);
  // A space at the root of a site can become a section.
  const free = (spaces.data ?? []).filter(
    (each) => each.permissions.manage && (!there.has(each.id) || (kind === "section" && sections.length === 0)),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    const [spaceId, title, within] = [text("space"), text("title"), text("within")];
    change.mutate(
      () => {
        if (kind === "group")
          return taken(
            api.POST(`${root}/section-groups`, {
              params: { path },
              body: { title, ...(within ? { parent: within } : {}) },
            }),
          );
        if (kind === "section")
          return taken(
            api.POST(`${root}/sections`, { params: { path }, body: { spaceId, ...(title ? { title } : {}) } }),
          );
        return taken(
          api.POST(`${root}/site-spaces`, {
            params: { path },
            body: { spaceId, ...(within ? { sectionId: within } : {}) },
          }),
        );
      },
      { onSuccess: onClose },
    );
  };
  const places = kind === "group" ? groups : kind === "space" ? sections : [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`siteStructure.add.${kind}`)}
      description={t(`siteStructure.add.${kind}.text`)}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            busy={change.isPending}
            disabled={kind !== "group" && free.length === 0}
          >
            {t("siteStructure.add")}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {kind !== "group" && spaces.data && free.length === 0 && <p>{t("siteStructure.add.none")}</p>}
        {kind !== "group" && free.length > 0 && (
          <Field
            name="space"
            label={t("siteStructure.space")}
            required
            control={
              <select>
                {free.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.title}
                  </option>
                ))}
              </select>
            }
          />
        )}
        {kind !== "space" && (
          <Field
            name="title"
            label={t("home.spaceTitle")}
            hint={kind === "section" ? t("siteStructure.title.hint") : undefined}
            required={kind === "group"}
            minLength={kind === "section" ? 2 : 1}
            maxLength={100}
            autoComplete="off"
          />
        )}
        {places.length > 0 && (
          <Field
            name="within"
            label={t(kind === "group" ? "siteStructure.within.group" : "siteStructure.within.section")}
            control={
              <select>
                {kind === "group" && <option value="">{t("siteStructure.within.none")}</option>}
                {places.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.title}
                  </option>
                ))}
              </select>
            }
          />
        )}
        {change.isError && <Failed failure={change.error} />}
      </form>
    </Dialog>
  );
}
