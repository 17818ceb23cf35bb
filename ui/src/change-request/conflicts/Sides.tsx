// What there was before, what main has and what the change request has, beside each other; on a phone one at a time.
import { type ReactNode, useState } from "react";
import { useMedia } from "../../look/useMedia";
import { t } from "../../words/words";
import styles from "./Sides.module.css";

export const sides = ["base", "main", "mine"] as const;
export type Side = (typeof sides)[number];

type Props = { children: Record<Side, ReactNode>; chosen: (side: Side) => boolean };

export function Sides({ children, chosen }: Props) {
  const wide = useMedia("(min-width: 48rem)");
  const [tab, setTab] = useState<Side>("main");
  const seen = wide ? sides : sides.filter((each) => each === tab);
  return (
    <>
      {!wide && (
        <div className={styles.tabs} role="group" aria-label={t("conflict.sides")}>
          {sides.map((each) => (
            <button
              key={each}
              type="button"
              className={styles.tab}
              aria-pressed={each === tab}
              onClick={() => setTab(each)}
            >
              {t(`conflict.${each}`)}
            </button>
          ))}
        </div>
      )}
      <div className={styles.sides}>
        {seen.map((each) => (
          <div key={each} className={styles.side} data-chosen={chosen(each)}>
            {wide && <p className={styles.label}>{t(`conflict.${each}`)}</p>}
            {children[each]}
          </div>
        ))}
      </div>
    </>
  );
}
