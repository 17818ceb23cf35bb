// Where nothing is yet: one sentence, one button.
import type { ReactNode } from "react";
import styles from "./EmptyState.module.css";

type Props = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode; level?: 1 | 2 | 3 };

export function EmptyState({ icon, title, children, action, level = 2 }: Props) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty}>
      {icon && (
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
      )}
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
