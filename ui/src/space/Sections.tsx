// The parts of a space beside its pages, above the tree; those that are looked at less behind "More".
import { useQuery } from "@tanstack/react-query";
import { Link, useMatchRoute } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { Menu, MenuItem } from "../look/Menu";
import { t } from "../words/words";
import { space as spaceQuery } from "./queries";
import { type Section, sections } from "./sections";
import styles from "./SpaceSide.module.css";

type Props = { space: string; change: number | undefined; onLeave: () => void };

export function Sections({ space, change, onLeave }: Props) {
  const about = useQuery(spaceQuery(space)).data;
  const matches = useMatchRoute();
  const seen = sections.filter(({ may }) => !may || (about && may(about)));
  const to = ({ to, within }: Section) =>
    within && change !== undefined
      ? ({ to: within, params: { space, number: String(change) } } as const)
      : ({ to, params: { space } } as const);
  const current = (section: Section) =>
    Boolean(matches({ ...to(section), fuzzy: section.to === "/spaces/$space/history" } as never));
  const more = seen.filter((each) => each.more);
  // What is shown stands outside of the menu, too.
  const open = more.find(current);
  return (
    <>
      {[...seen.filter((each) => !each.more), ...(open ? [open] : [])].map((section) => (
        <Link
          key={section.title}
          {...to(section)}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={current(section) ? "page" : undefined}
          className={styles.part}
          onClick={onLeave}
        >
          <section.icon aria-hidden />
          {t(section.title)}
        </Link>
      ))}
      {more.length > 0 && (
        <Menu
          side="inline-end"
          align="start"
          trigger={
            <button type="button" className={styles.part}>
              <Ellipsis aria-hidden />
              {t("space.more")}
            </button>
          }
        >
          {more.map((section) => (
            <MenuItem key={section.title} icon={<section.icon />} render={<Link {...to(section)} onClick={onLeave} />}>
              {t(section.title)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
