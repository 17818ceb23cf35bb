// How a site looks, beside the real page: every choice is saved, and the page shown again.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useRef, useState } from "react";
import { api, taken } from "../api/client";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Toggle } from "../options/Toggle";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { contrast } from "./contrast";
import styles from "./Look.module.css";
import { at, keyOf, root, siteOf } from "./queries";

const themes = ["clean", "muted", "bold", "gradient"] as const;
const corners = ["straight", "rounded", "circular"] as const;
const modes = ["light", "dark", "system"] as const;
// Fonts that the server has, under their names.
const fonts = ["Inter", "Roboto", "RobotoSlab", "OpenSans", "SourceSansPro", "Lato", "Ubuntu", "Raleway", "Merriweather", "Overpass", "NotoSans", "IBMPlexSerif", "Poppins", "FiraSans", "ABCFavorit"];
const spelled = (font: string) => font.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
// What the main colour stands on.
const grounds = { light: "#ffffff", dark: "#0c0e13" };

type Styling = { theme: string; corners: string; font: unknown; primaryColor: { light: string; dark: string } };
type Customization = { styling: Styling; themes: { default: string; toggeable: boolean } };

export function Look() {
  const { organization = "", site: id = "" }: { organization?: string; site?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const asked = useQuery(siteOf(organization, id));
  const path = at(organization, id);
  const key = [...keyOf(organization, id), "customization"];
  const look = useQuery({ queryKey: key, queryFn: () => taken(api.GET(`${root}/customization`, { params: { path } })) });
  const frame = useRef<HTMLIFrameElement>(null);
  const [colour, setColour] = useState<{ light?: string; dark?: string }>({});
  const save = useMutation({
    scope: { id: `look-${id}` },
    mutationFn: async (part: { styling?: Partial<Styling>; themes?: Partial<Customization["themes"]> }) => {
      const now = queries.getQueryData<Customization>(key)!;
      const body = { ...now, styling: { ...now.styling, ...part.styling }, themes: { ...now.themes, ...part.themes } };
      return taken(api.PUT(`${root}/customization`, { params: { path }, body: body as never }));
    },
    onSuccess: (made) => {
      queries.setQueryData(key, made);
      setColour({});
      frame.current?.contentWindow?.location.reload();
    },
  });
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (look.isError && !look.data) return <Refused failure={look.error} onRetry={() => void look.refetch()} />;
  if (!asked.data || !look.data) return <main id="main" className={styles.wait}><Skeleton lines={8} /></main>;
  const site = asked.data;
  const { styling, themes: modesOf } = look.data as unknown as Customization;
  const pending = save.isPending ? save.variables : {};
  const shown = { ...styling, ...pending.styling };
  const mode = { ...modesOf, ...pending.themes };
  // A page of another host, or one behind a gate, cannot be shown here.
  const open = site.published && (site.visibility === "public" || site.visibility === "unlisted") ? site.urls.published : site.urls.preview;
  const address = open && new URL(open).origin === location.origin ? open : undefined;
  const choices = <T extends string>(name: string, label: string, values: readonly T[], value: string, named: (each: T) => string, choose: (each: T) => void) => (
    <fieldset className={styles.choices}>
      <legend className={styles.label}>{label}</legend>
      {values.map((each) => (
        <label key={each} className={styles.choice}>
          <input type="radio" name={name} checked={value === each} onChange={() => choose(each)} />
          {named(each)}
        </label>
      ))}
    </fieldset>
  );
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("siteLook.title")} />
      <div className={styles.form}>
        <nav aria-label={t("space.path")} className={styles.path}>
          <Link to="/orgs/$organization/sites/$site" params={{ organization, site: id }}>
            {site.title}
          </Link>
          <ChevronRight aria-hidden />
        </nav>
        <h1 className={styles.title}>{t("siteLook.title")}</h1>
        {save.isError && <Failed failure={save.error} />}
        <fieldset className={styles.fields} disabled={!site.permissions.edit}>
          <legend className="visually-hidden">{t("siteLook.title")}</legend>
          {choices("theme", t("siteLook.theme"), themes, shown.theme, (each) => t(`siteLook.theme.${each}`), (theme) => save.mutate({ styling: { theme } }))}
          <div className={styles.colours}>
            {(["light", "dark"] as const).map((each) => {
              const value = colour[each] ?? shown.primaryColor[each];
              const ratio = contrast(value, grounds[each]);
              return (
                <label key={each} className={styles.colour}>
                  <span className={styles.label}>{t(`siteLook.colour.${each}`)}</span>
                  <input
                    type="color"
                    value={value}
                    onChange={(event) => setColour({ ...colour, [each]: event.target.value })}
                    onBlur={() => colour[each] && colour[each] !== shown.primaryColor[each] && save.mutate({ styling: { primaryColor: { ...shown.primaryColor, [each]: colour[each] } } })}
                  />
                  <span className={styles.note} data-low={ratio < 4.5 || undefined}>
                    {t(ratio < 4.5 ? "siteLook.contrast.low" : "siteLook.contrast", { ratio: ratio.toFixed(1) })}
                  </span>
                </label>
              );
            })}
          </div>
          <label className={styles.font}>
            <span className={styles.label}>{t("siteLook.font")}</span>
            <select value={typeof shown.font === "string" ? shown.font : ""} onChange={(event) => save.mutate({ styling: { font: event.target.value } })}>
              {typeof shown.font !== "string" && <option value="">{t("siteLook.font.own")}</option>}
              {fonts.map((font) => (
                <option key={font} value={font}>
                  {spelled(font)}
                </option>
              ))}
            </select>
          </label>
          {choices("corners", t("siteLook.corners"), corners, shown.corners, (each) => t(`siteLook.corners.${each}`), (each) => save.mutate({ styling: { corners: each } }))}
          {choices("mode", t("siteLook.mode"), modes, mode.default, (each) => t(`siteLook.mode.${each}`), (each) => save.mutate({ themes: { default: each } }))}
          <Toggle label={t("siteLook.switch")} checked={mode.toggeable} onChange={(toggeable) => save.mutate({ themes: { toggeable } })} />
        </fieldset>
      </div>
      <div className={styles.page}>
        {address ? <iframe ref={frame} src={address} title={t("siteLook.page")} sandbox="allow-scripts allow-same-origin allow-popups" className={styles.frame} /> : <p className={styles.note}>{t("siteLook.noPage")}</p>}
      </div>
    </main>
  );
}
