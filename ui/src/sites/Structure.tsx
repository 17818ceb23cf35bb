// What is on a site: its spaces in their order, within sections where it has those.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, Ellipsis, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, done, taken } from "../api/client";
import { spacesOf } from "../home/queries";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Menu, MenuItem, MenuSeparator } from "../look/Menu";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import { at, root, type Site, type SiteSpace, structureOf } from "./queries";
import styles from "./Sites.module.css";
import type { SiteChange } from "./useSite";

type Props = { organization: string; site: Site; change: SiteChange };

export function Structure({ organization, site, change }: Props) {
  const asked = useQuery(structureOf(organization, site.id));
  const spaces = useQuery(spacesOf(organization)).data ?? [];
  const [adding, setAdding] = useState("");
  const path = at(organization, site.id);
  const { edit, create } = site.permissions;
  const there = new Set(asked.data ? shown(asked.data.structure).flatMap((part) => part.spaces.map((each) => each.space.id)) : []);
  const free = spaces.filter((each) => each.permissions.manage && !there.has(each.id));
  const move = (each: SiteSpace, beside: SiteSpace, way: "before" | "after") =>
    change.mutate(() => taken(api.POST(`${root}/site-spaces/{siteSpaceId}/move`, { params: { path: { ...path, siteSpaceId: each.id } }, body: { position: { [way]: { type: "site-space", siteSpace: beside.id } } } })));
  const row = (each: SiteSpace, index: number, beside: SiteSpace[]) => (
    <li key={each.id} className={styles.link}>
      <span>
        <Link to="/spaces/$space" params={{ space: each.space.id }} className={styles.label}>
          {each.space.title || each.title}
        </Link>{" "}
        <span className={styles.note}>{`/${each.path}`}</span> {each.default && <span className={styles.badge}>{t("sites.default")}</span>}
      </span>
      {edit && (
        <Menu
          trigger={
            <IconButton label={t("files.menu", { name: each.space.title })}>
              <Ellipsis />
            </IconButton>
          }
        >
          <MenuItem icon={<ArrowUp />} disabled={index === 0} onClick={() => move(each, beside[index - 1]!, "before")}>
            {t("blocks.up")}
          </MenuItem>
          <MenuItem icon={<ArrowDown />} disabled={index === beside.length - 1} onClick={() => move(each, beside[index + 1]!, "after")}>
            {t("blocks.down")}
          </MenuItem>
          <MenuItem icon={<Star />} disabled={each.default} onClick={() => change.mutate(() => taken(api.PATCH(root, { params: { path }, body: { defaultSiteSpace: each.id } })))}>
            {t("sites.makeDefault")}
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} onClick={() => change.mutate(() => done(api.DELETE(`${root}/site-spaces/{siteSpaceId}`, { params: { path: { ...path, siteSpaceId: each.id } } })))}>
            {t("sites.takeOff")}
          </MenuItem>
        </Menu>
      )}
    </li>
  );
  return (
    <section className={styles.part} aria-labelledby="site-structure">
      <h2 id="site-structure" className={styles.heading}>
        {t("sites.structure")}
      </h2>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={2} />}
      {asked.data &&
        shown(asked.data.structure).map((part, index) => (
          <div key={index} className={styles.section}>
            {part.title && <h3 className={styles.note}>{part.title}</h3>}
            {part.spaces.length > 0 && <ul className={styles.rows}>{part.spaces.map(row)}</ul>}
          </div>
        ))}
      {asked.data && there.size === 0 && <p className={styles.note}>{t("sites.empty")}</p>}
      {create && free.length > 0 && (
        <form
          className={styles.adding}
          onSubmit={(event) => {
            event.preventDefault();
            if (adding) change.mutate(() => taken(api.POST(`${root}/site-spaces`, { params: { path }, body: { spaceId: adding } })), { onSuccess: () => setAdding("") });
          }}
        >
          <select aria-label={t("sites.spaces.choose")} className={styles.select} value={adding} onChange={(event) => setAdding(event.target.value)}>
            <option value="">{t("sites.spaces.choose")}</option>
            {free.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </select>
          <Button type="submit" disabled={adding === ""}>
            {t("sites.put")}
          </Button>
        </form>
      )}
    </section>
  );
}

type Part = { title: string; spaces: SiteSpace[] };
type Any = { object?: string; title?: string; siteSpaces?: SiteSpace[] | null; sections?: Any[] | null; children?: Any[] | null };

// shown puts the spaces of a site into the parts that they stand in.
function shown(structure: unknown[] | null): Part[] {
  const parts: Part[] = [];
  const walk = (list: Any[], above: string) => {
    const alone = list.filter((each) => each.object === "site-space") as unknown as SiteSpace[];
    if (alone.length > 0) parts.push({ title: above, spaces: alone });
    for (const each of list) {
      const title = [above, each.title].filter(Boolean).join(" / ");
      if (each.object === "site-section") parts.push({ title, spaces: each.siteSpaces ?? [] });
      else if (each.object === "site-section-group") walk(each.sections ?? each.children ?? [], title);
    }
  };
  walk((structure ?? []) as Any[], "");
  return parts;
}
