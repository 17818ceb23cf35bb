// The options of a page beside it: its address, what it is called elsewhere, its sign and cover, tags, who sees it,
// what stands around its text, and its variables. They are saved like text, in the change request that is open; on main
// they can be read, and changed in a draft.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { servicesOf } from "../page/services";
import { draftFor, useEditing, usePendingChanges } from "../space/editing";
import type { PanelPlace } from "../space/panels";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import { CoverField } from "./CoverField";
import { Layout } from "./Layout";
import styles from "./Options.module.css";
import { type Options, pageOptions, withChanges } from "./queries";
import { Owner } from "./Owner";
import { Redirects } from "./Redirects";
import { SavedField } from "./SavedField";
import { Sign } from "./Sign";
import { Tags } from "./Tags";
import { Toggle } from "./Toggle";
import { Variables } from "./Variables";

export function OptionsPanel({ space, change, page = "" }: PanelPlace) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const about = useQuery(spaceQuery(space)).data;
  const asked = useQuery(pageOptions(space, change, page));
  const pending = usePendingChanges(space, change);
  const editing = useEditing(space, change);
  // What is refused of an address is said at its field alone.
  const redirecting = useEditing(space, change);
  const [services] = useState(() => change !== undefined && servicesOf(queries, { space, change, page }));
  const draft = useMutation({
    mutationFn: () => draftFor(queries, space, change),
    onSuccess: (number) =>
      navigate({
        to: "/spaces/$space/changes/$number/pages/$page",
        params: { space, number: String(number), page },
        search: { panel: "options" } as never,
      }),
  });
  if (asked.isError && !asked.data) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton shape="rows" lines={8} />;
  const {
    slug = "",
    path,
    linkTitle = "",
    description = "",
    condition = "",
    title,
    type,
  } = asked.data;
  // What is set is shown at once, and what is set next builds on it. Texts show by themselves what is not saved yet.
  const now = withChanges(asked.data, pending);
  const { hidden = false, noIndex = false, noRobotsIndex = false, layout, tags, variables } = now;
  const set = (options: Options) => editing.mutateAsync([{ operation: "update_page", page, ...options }]);
  // What has no place of its own to say that it was refused says so on top.
  const toggle = (options: Options) => void set(options).catch(() => undefined);
  const above = path.includes("/") ? `/${path.slice(0, path.lastIndexOf("/"))}/` : "/";
  const document = type === "document";
  return (
    <div className={styles.panel}>
      {change === undefined && about?.permissions.edit && (
        <div className={styles.main}>
          <p>{t("options.main")}</p>
          <Button busy={draft.isPending} onClick={() => draft.mutate()}>
            {t("options.edit")}
          </Button>
          {draft.isError && <Failed failure={draft.error} />}
        </div>
      )}
      {editing.isError && <Failed failure={editing.error} />}
      <fieldset className={styles.fields} disabled={change === undefined || !about?.permissions.edit}>
        <legend className="visually-hidden">{t("panel.options")}</legend>
        <section className={styles.part}>
          {type !== "link" && (
            <SavedField
              label={t("options.slug")}
              hint={t("options.slug.hint", { address: `${above}${slug}` })}
              value={slug}
              maxLength={100}
              spellCheck={false}
              autoComplete="off"
              onSave={(text) => set({ slug: text.trim() })}
            />
          )}
          <SavedField
            label={t("options.linkTitle")}
            hint={t("options.linkTitle.hint")}
            placeholder={title}
            value={linkTitle}
            maxLength={100}
            autoComplete="off"
            onSave={(text) => set({ linkTitle: text.trim() || null })}
          />
          {document && (
            <SavedField
              label={t("options.description")}
              hint={t("options.description.hint")}
              value={description}
              control={<textarea rows={3} />}
              maxLength={500}
              onSave={(text) => set({ description: text.trim() || null })}
            />
          )}
          <Sign page={now} onChange={toggle} />
          <Owner owner={now.owner} services={services} onChange={(owner) => set({ owner })} />
        </section>
        {document && services && <CoverField page={now} services={services} onChange={toggle} />}
        {document && <Tags tags={tags ?? []} onChange={(list) => set({ tags: list })} />}
        <section className={styles.part} aria-labelledby="options-seen">
          <h3 id="options-seen" className={styles.title}>
            {t("options.seen")}
          </h3>
          <Toggle label={t("options.hidden")} checked={hidden} onChange={(value) => toggle({ hidden: value })} />
          {document && (
            <Toggle label={t("options.noIndex")} checked={noIndex} onChange={(value) => toggle({ noIndex: value })} />
          )}
          {document && (
            <Toggle
              label={t("options.noRobotsIndex")}
              checked={noRobotsIndex}
              onChange={(value) => toggle({ noRobotsIndex: value })}
            />
          )}
          <SavedField
            label={t("options.condition")}
            hint={t("options.condition.hint")}
            value={condition}
            placeholder={'visitor.claims.unsigned.plan === "team"'}
            control={<textarea rows={2} className={styles.source} dir="ltr" spellCheck={false} />}
            onSave={(text) => set({ condition: text.trim() || null })}
          />
        </section>
        {type !== "link" && (
          <Redirects
            space={space}
            change={change}
            page={page}
            onChange={(changes) => redirecting.mutateAsync(changes)}
          />
        )}
        {document && layout && <Layout layout={layout} onChange={(part) => toggle({ layout: part })} />}
        {document && <Variables variables={variables ?? {}} onChange={(all) => set({ variables: all })} />}
      </fieldset>
    </div>
  );
}
