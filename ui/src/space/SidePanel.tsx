// The panel at the right: beside the page where there is room, on top of it elsewhere.
import { X } from "lucide-react";
import { type KeyboardEvent, Suspense } from "react";
import { IconButton } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { keysOf } from "../look/shortcuts";
import { Skeleton } from "../look/Skeleton";
import { useMedia, wide } from "../look/useMedia";
import { t } from "../words/words";
import styles from "./SidePanel.module.css";
import type { PanelState } from "./usePanel";

export function SidePanel({ state }: { state: PanelState }) {
  const { open, place, show } = state;
  const beside = useMedia(wide);
  const content = open && (
    <Suspense fallback={<Skeleton shape="rows" lines={6} />}>
      <open.Content key={place.page ?? place.compared} {...place} />
    </Suspense>
  );
  if (!beside) {
    return (
      <Dialog
        open={open !== null}
        onOpenChange={(next) => !next && show(null)}
        title={open ? t(open.title) : ""}
        shape="panel"
      >
        <div className={styles.body}>{content}</div>
      </Dialog>
    );
  }
  if (!open) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    show(null);
    document.getElementById("main")?.focus();
  };
  return (
    <aside id="panel" tabIndex={-1} aria-label={t(open.title)} className={styles.panel} onKeyDown={onKeyDown}>
      <header className={styles.head}>
        <h2 className={styles.title}>{t(open.title)}</h2>
        <IconButton label={t("panel.close")} keys={keysOf("panel")} onClick={() => show(null)}>
          <X />
        </IconButton>
      </header>
      <div className={styles.body}>{content}</div>
    </aside>
  );
}
