// What can be put where a "/" was typed. The text keeps the focus, and names the option that Enter takes.
import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { Blocks } from "lucide-react";
import { Keys } from "../look/Keys";
import { t } from "../words/words";
import { icons } from "./icons";
import { grouped, type Insertion, titleOf } from "./insert";
import styles from "./SlashMenu.module.css";
import type { Session } from "./session";
import { choose, slashKey } from "./slash";
import { useBeside } from "./useBeside";

export function SlashMenu({ session }: { session: Session }) {
  const open = useSyncExternalStore(session.subscribe, () => slashKey.getState(session.state()) ?? null);
  const menu = useRef<HTMLDivElement>(null);

  useBeside(menu, session, open?.from, open?.items.length);

  const active = open?.items[open.index]?.id;
  useLayoutEffect(() => {
    menu.current?.querySelector(`#slash-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);

  if (!open) return null;
  const option = (item: Insertion) => {
    const index = open.items.indexOf(item);
    const Icon = icons[item.id] ?? (item.block ? Blocks : undefined);
    return (
      <div
        key={item.id}
        id={`slash-${item.id}`}
        role="option"
        aria-selected={index === open.index}
        className={styles.item}
        onClick={() => choose(session.view, item)}
        onMouseMove={() =>
          index !== open.index && session.view.dispatch(session.view.state.tr.setMeta(slashKey, { index }))
        }
      >
        <span className={styles.icon}>
          {item.block?.icon ? <img src={item.block.icon} alt="" /> : Icon && <Icon aria-hidden size={16} />}
        </span>
        <span className={styles.title}>
          {titleOf(item)}
          {item.block?.description && <span className={styles.about}>{item.block.description}</span>}
        </span>
        {item.keys && <Keys keys={item.keys} />}
      </div>
    );
  };
  return (
    <div
      ref={menu}
      id="slash-menu"
      role="listbox"
      tabIndex={0}
      aria-label={t("editor.slash")}
      className={styles.menu}
      onMouseDown={(event) => event.preventDefault()}
    >
      {open.query !== ""
        ? open.items.map(option)
        : grouped(open.items).map(({ group, items }) => (
            <div key={group} role="group" aria-label={t(`editor.slash.${group}`)}>
              <div aria-hidden className={styles.group}>
                {t(`editor.slash.${group}`)}
              </div>
              {items.map(option)}
            </div>
          ))}
    </div>
  );
}
