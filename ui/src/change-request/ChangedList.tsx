// All that was changed, pages as a tree and the rest in groups, each with how many there are and what was viewed.
import { Check } from "lucide-react";
import { t } from "../words/words";
import { type Entity, groups } from "./changes";
import styles from "./Diff.module.css";

type Props = {
  entities: Entity[];
  current: Entity | undefined;
  viewed: ((entity: Entity) => boolean) | undefined;
  onShow: (entity: Entity) => void;
  onNear: (entity: Entity) => void;
};

export function ChangedList({ entities, current, viewed, onShow, onNear }: Props) {
  return groups.map((group) => {
    const rows = entities.filter((each) => each.group === group);
    if (rows.length === 0) return null;
    return (
      <section key={group} aria-label={t(`diff.group.${group}`)} className={styles.group}>
        <h2 className={styles.groupName}>
          {t(`diff.group.${group}`)} <span className={styles.groupCount}>{rows.length}</span>
        </h2>
        <ul>
          {rows.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                className={styles.page}
                style={{ "--depth": Math.min(each.depth, 6) } as React.CSSProperties}
                aria-current={each.id === current?.id ? "true" : undefined}
                data-viewed={viewed?.(each)}
                onClick={() => onShow(each)}
                onPointerEnter={() => onNear(each)}
              >
                <span className={styles.sign} data-kind={each.kind} aria-hidden>
                  {{ added: "+", deleted: "−", moved: "→", reordered: "↕", renamed: "~", edited: "~" }[each.kind]}
                </span>
                <span className={styles.name}>{each.title || t("tree.untitled")}</span>
                <span className="visually-hidden">{t(`change.kind.${each.kind}`)}</span>
                {viewed?.(each) && <Check className={styles.check} role="img" aria-label={t("diff.viewed")} />}
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}
