import { ArrowDown, ArrowUp, Ellipsis, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../look/Button";
import { Menu, MenuItem, MenuSeparator } from "../../look/Menu";
import { t } from "../../words/words";
import { type Entry, inList, type Place, put, step } from "./entries";
import { LinkDialog } from "./LinkDialog";
import styles from "./Look.module.css";

export type { Entry } from "./entries";

// A header has links, buttons and menus of links; a footer has groups of links.
export type Shape = "header" | "groups";

type Props = {
  label: string;
  about: string;
  links: Entry[];
  shape: Shape;
  onChange: (links: Entry[]) => Promise<unknown>;
};

// LinkList is the links of a header, or the groups of a footer, in their order.
export function LinkList({ label, about, links, shape, onChange }: Props) {
  const [edited, edit] = useState<Place>();
  const change = (next: Entry[]) => void onChange(next).catch(() => undefined);
  const row = (entry: Entry, place: Place) => {
    const [index = 0, count] = [place.at(-1), inList(links, place).length];
    return (
      <li key={place.join()}>
        <div className={styles.entry} data-level={place.length}>
          <button type="button" className={styles.entryName} onClick={() => edit(place)}>
            {entry.title || t("siteLook.link.untitled")}
          </button>
          {entry.to?.kind === "url" && <span className={styles.note}>{String(entry.to.url)}</span>}
          <Menu
            trigger={
              <IconButton label={t("files.menu", { name: entry.title })} className={styles.entryMenu!}>
                <Ellipsis />
              </IconButton>
            }
          >
            <MenuItem icon={<Pencil />} onClick={() => edit(place)}>
              {t("siteStructure.edit")}
            </MenuItem>
            {place.length === 1 && (
              <MenuItem icon={<Plus />} onClick={() => edit([place[0], (entry.links ?? []).length])}>
                {t("siteLook.link.below")}
              </MenuItem>
            )}
            <MenuItem icon={<ArrowUp />} disabled={index === 0} onClick={() => change(step(links, place, -1))}>
              {t("blocks.up")}
            </MenuItem>
            <MenuItem icon={<ArrowDown />} disabled={index === count - 1} onClick={() => change(step(links, place, 1))}>
              {t("blocks.down")}
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 />} onClick={() => change(put(links, place, null))}>
              {t("editor.remove")}
            </MenuItem>
          </Menu>
        </div>
        {entry.links && entry.links.length > 0 && <ul>{entry.links.map((below, at) => row(below, [place[0], at]))}</ul>}
      </li>
    );
  };
  return (
    <section className={styles.group} aria-label={label}>
      <h3 className={styles.label}>{label}</h3>
      <p className={styles.note}>{about}</p>
      {links.length > 0 && <ul className={styles.entries}>{links.map((entry, index) => row(entry, [index]))}</ul>}
      <Button icon={<Plus />} className={styles.add} onClick={() => edit([links.length])}>
        {t(shape === "groups" ? "siteLook.group.add" : "siteLook.link.add")}
      </Button>
      {edited && (
        <LinkDialog
          entry={inList(links, edited)[edited.at(-1)!]}
          shape={shape}
          place={edited}
          onClose={() => edit(undefined)}
          onSave={async (entry) => {
            await onChange(put(links, edited, entry));
            edit(undefined);
          }}
        />
      )}
    </section>
  );
}
