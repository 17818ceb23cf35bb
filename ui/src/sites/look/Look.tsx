// How a site looks, beside the real page: every choice is saved and can be undone, and the page is shown again. A space
// on it can have a look of its own.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronRight, Undo2 } from "lucide-react";
import { type ComponentType, useRef } from "react";
import { Button } from "../../look/Button";
import { Failed } from "../../look/Failed";
import { Skeleton } from "../../look/Skeleton";
import { Refused } from "../../shell/Nothing";
import { t } from "../../words/words";
import { Preview, previewOf } from "../Preview";
import { structureOf } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import { rowsOf } from "../structure/rows";
import { AnnouncementPart } from "./AnnouncementPart";
import { DetailsPart } from "./DetailsPart";
import { FooterPart } from "./FooterPart";
import { HeaderPart } from "./HeaderPart";
import { ListField } from "./controls";
import styles from "./Look.module.css";
import { PagesPart } from "./PagesPart";
import { type LookPart, lookParts } from "./parts";
import { ThemePart } from "./ThemePart";
import { type Look as Shown, useLook } from "./useLook";

const forms: Record<LookPart, ComponentType<Shown>> = {
  theme: ThemePart,
  header: HeaderPart,
  footer: FooterPart,
  announcement: AnnouncementPart,
  pages: PagesPart,
  details: DetailsPart,
};

export function Look() {
  const { organization, site } = useShown();
  const { space = "", part = "theme" } = useSearch({ from: "/orgs/$organization/sites/$site/look" });
  const navigate = useNavigate();
  const frame = useRef<HTMLIFrameElement>(null);
  const structure = useQuery(structureOf(organization, site.id)).data;
  const spaces = structure
    ? rowsOf(structure.structure).flatMap((row) => (row.kind === "site-space" ? [row] : []))
    : [];
  const look = useLook(organization, site.id, space, () => frame.current?.contentWindow?.location.reload());
  if (look.asked.isError && !look.value)
    return <Refused what="div" failure={look.asked.error} onRetry={() => void look.asked.refetch()} />;
  if (!look.value)
    return (
      <div className={sites.body}>
        <Skeleton lines={8} />
      </div>
    );
  const go = (search: { space?: string; part?: LookPart }) =>
    void navigate({ to: ".", search, replace: true, resetScroll: false });
  const published = spaces.find(({ id }) => id === space)?.of.urls.published;
  const address =
    space && published && site.published && new URL(published).origin === location.origin ? published : previewOf(site);
  return (
    <div className={sites.two}>
      <div className={`${sites.body} ${styles.form}`}>
        <h2 className="visually-hidden">{t("siteLook.title")}</h2>
        {spaces.length > 1 && (
          <ListField
            label={t("siteLook.of")}
            values={spaces.map(({ id }) => id)}
            value={space}
            named={(id) => spaces.find((each) => each.id === id)?.title ?? id}
            none={t("siteLook.of.site")}
            onChange={(id) => go({ ...(id ? { space: id } : {}), part })}
          />
        )}
        {space && <p className={styles.note}>{t("siteLook.of.space")}</p>}
        <div className={sites.line}>
          <Button icon={<Undo2 />} disabled={!look.undo || !site.permissions.edit} onClick={() => look.undo?.()}>
            {t("siteLook.undo")}
          </Button>
          {space && look.asked.data?.hasOverrides && site.permissions.edit && (
            <Button onClick={look.reset}>{t("siteLook.reset")}</Button>
          )}
          <span role="status" className={styles.note}>
            {look.busy ? t("siteLook.saving") : look.failure ? "" : look.saved ? t("siteLook.saved") : ""}
          </span>
        </div>
        {look.failure && <Failed failure={look.failure} />}
        {lookParts.map((each) => {
          const Form = forms[each];
          const open = each === part;
          return (
            <section key={each} className={styles.part}>
              <h3 className={styles.heading}>
                <button
                  type="button"
                  aria-expanded={open}
                  aria-controls={`look-${each}`}
                  className={styles.opener}
                  onClick={() => go({ ...(space ? { space } : {}), ...(open ? {} : { part: each }) })}
                >
                  <ChevronRight aria-hidden />
                  {t(`siteLook.part.${each}`)}
                </button>
              </h3>
              {open && (
                <fieldset id={`look-${each}`} className={styles.fields} disabled={!site.permissions.edit}>
                  <legend className="visually-hidden">{t(`siteLook.part.${each}`)}</legend>
                  <Form key={space} value={look.value!} set={look.set} setNow={look.setNow} within={space} />
                </fieldset>
              )}
            </section>
          );
        })}
      </div>
      <Preview key={address ?? ""} site={site} frame={frame} address={address} />
    </div>
  );
}
