// What a part of a site is called, where it is, and who sees it.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { api, taken } from "../../api/client";
import { iconChoices } from "../../editor/picker/choices";
import { Picker } from "../../editor/picker/Picker";
import { spacesOf } from "../../home/queries";
import { Glyph } from "../../look/Glyph";
import { Button } from "../../look/Button";
import { Dialog } from "../../look/Dialog";
import { Failed } from "../../look/Failed";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import { at, conditionsOf, root } from "../queries";
import { useShown } from "../shown";
import type { Row } from "./rows";
import styles from "./Structure.module.css";

export function PartDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const { organization, site, change } = useShown();
  const form = useId();
  const list = useId();
  const spaces = useQuery({ ...spacesOf(organization), enabled: row.kind === "site-space" }).data ?? [];
  const conditions =
    useQuery({
      ...conditionsOf(organization, site.id),
      enabled: site.permissions.viewAdaptiveSchema && row.kind !== "site-section-group",
    }).data ?? [];
  const [icon, setIcon] = useState(row.kind === "site-space" ? "" : (row.of.icon ?? ""));
  const [choosing, choose] = useState(false);
  const path = at(organization, site.id);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    // Only what was changed is sent: who may not set conditions may change the rest.
    const changed = (name: string, was: string | undefined) =>
      text(name) === (was ?? "") ? {} : { [name]: text(name) || null };
    const iconChanged = icon === (row.kind === "site-space" ? "" : (row.of.icon ?? "")) ? {} : { icon: icon || null };
    change.mutate(
      () => {
        if (row.kind === "site-section-group")
          return taken(
            api.PATCH(`${root}/section-groups/{siteSectionGroupId}`, {
              params: { path: { ...path, siteSectionGroupId: row.id } },
              body: { ...changed("title", row.title), ...iconChanged },
            }),
          );
        if (row.kind === "site-section") {
          const body = {
            ...changed("title", row.of.title),
            ...changed("path", row.of.path),
            ...changed("description", row.of.description),
            ...changed("condition", row.of.condition),
            ...iconChanged,
          };
          return taken(
            api.PATCH(`${root}/sections/{siteSectionId}`, {
              params: { path: { ...path, siteSectionId: row.id } },
              body,
            }),
          );
        }
        const body = {
          ...changed("spaceId", row.of.space.id),
          ...changed("path", row.of.path),
          ...changed("condition", row.of.condition),
        };
        return taken(
          api.PATCH(`${root}/site-spaces/{siteSpaceId}`, { params: { path: { ...path, siteSpaceId: row.id } }, body }),
        );
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={row.title}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={change.isPending}>
            {t("place.save")}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {row.kind === "site-space" && (
          <Field
            name="spaceId"
            label={t("siteStructure.space")}
            hint={t("siteStructure.space.hint")}
            defaultValue={row.of.space.id}
            control={
              <select>
                {[row.of.space, ...spaces.filter((each) => each.permissions.manage && each.id !== row.of.space.id)].map(
                  (each) => (
                    <option key={each.id} value={each.id}>
                      {each.title}
                    </option>
                  ),
                )}
              </select>
            }
          />
        )}
        {row.kind !== "site-space" && (
          <Field
            name="title"
            label={t("home.spaceTitle")}
            defaultValue={row.title}
            required
            minLength={row.kind === "site-section" ? 2 : 1}
            maxLength={100}
            autoComplete="off"
          />
        )}
        {row.kind !== "site-section-group" && (
          <Field
            name="path"
            label={t("siteStructure.path")}
            hint={t("siteStructure.path.hint")}
            defaultValue={row.of.path}
            required
            maxLength={100}
            spellCheck={false}
            autoComplete="off"
          />
        )}
        {row.kind === "site-section" && (
          <Field
            name="description"
            label={t("siteStructure.description")}
            hint={t("siteStructure.description.hint")}
            defaultValue={row.of.description ?? ""}
            maxLength={256}
            autoComplete="off"
          />
        )}
        {row.kind !== "site-space" && (
          <div role="group" aria-label={t("options.icon")} className={styles.icon}>
            <span className={styles.label}>{t("options.icon")}</span>
            {icon && (
              <span role="img" aria-label={icon}>
                <Glyph key={icon} name={icon} />
              </span>
            )}
            <Button aria-expanded={choosing} onClick={() => choose(!choosing)}>
              {t("siteStructure.icon")}
            </Button>
            {icon && (
              <Button kind="quiet" onClick={() => setIcon("")}>
                {t("editor.remove")}
              </Button>
            )}
          </div>
        )}
        {choosing && (
          <Picker
            label={t("editor.icon.search")}
            search={iconChoices}
            onChoose={(name) => {
              setIcon(name);
              choose(false);
            }}
            onCancel={() => choose(false)}
          />
        )}
        {row.kind !== "site-section-group" && (
          <>
            <Field
              name="condition"
              label={t("siteStructure.condition")}
              hint={t("siteStructure.condition.hint")}
              defaultValue={row.of.condition ?? ""}
              placeholder='visitor.claims.plan == "pro"'
              list={list}
              maxLength={1024}
              spellCheck={false}
              autoComplete="off"
            />
            <datalist id={list}>
              {conditions.map(({ condition, description }) => (
                <option key={condition} value={condition}>
                  {description}
                </option>
              ))}
            </datalist>
          </>
        )}
        {change.isError && <Failed failure={change.error} />}
      </form>
    </Dialog>
  );
}
