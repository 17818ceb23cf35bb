// A line that says how things are, with an icon and a word beside the colour, and what can be done about it.
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./Banner.module.css";

export type BannerKind = "info" | "success" | "warning" | "danger";
const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

type Props = { kind?: BannerKind; children: ReactNode; actions?: ReactNode; className?: string | undefined };

// Banner is read aloud when it comes: politely, or at once when it is a danger.
export function Banner({ kind = "info", children, actions, className }: Props) {
  const Icon = icons[kind];
  return (
    <div
      role={kind === "danger" ? "alert" : "status"}
      className={[styles.banner, styles[kind], className].filter(Boolean).join(" ")}
    >
      <Icon aria-hidden className={styles.icon} />
      <div className={styles.text}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
