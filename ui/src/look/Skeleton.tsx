// The shape of what is coming. It shows after 150 ms, so that what is quick does not flicker.
import type { ReactNode } from "react";
import { t } from "../words/words";
import styles from "./Skeleton.module.css";

type Props = { lines?: number; shape?: "text" | "rows" | "card"; label?: string };

export function Skeleton({ lines = 3, shape = "text", label = t("look.loading") }: Props) {
  return (
    <Waiting label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles[shape]} style={{ "--line": line } as React.CSSProperties} />
      ))}
    </Waiting>
  );
}

// Waiting says to those who listen that something is coming, around a shape of one's own.
export function Waiting({ label = t("look.loading"), children }: { label?: string; children: ReactNode }) {
  return (
    <div className={styles.waiting} role="status">
      <span className="visually-hidden">{label}</span>
      <div className={styles.shapes} aria-hidden>
        {children}
      </div>
    </div>
  );
}
