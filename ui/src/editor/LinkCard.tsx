// Where the link leads that the cursor is in, and what can be done with it.
import { Copy, ExternalLink, Pencil, Unlink } from "lucide-react";
import { useRef, useState, useSyncExternalStore } from "react";
import { IconButton } from "../look/Button";
import { copy } from "../look/copy";
import { t } from "../words/words";
import { leadTo, linkRange, linkRef } from "./commands";
import styles from "./LinkCard.module.css";
import { around } from "./panels";
import type { Session } from "./session";
import { useBeside } from "./useBeside";
import { useStateWhile } from "./useStateWhile";
import { lead, type Lead } from "./views/lead";

export function LinkCard({ session }: { session: Session }) {
  const state = useStateWhile(session, (state) => state.selection.empty && linkRef(state) !== null);
  const linking = useSyncExternalStore(session.subscribe, session.asksLink);
  const element = useRef<HTMLDivElement>(null);
  const [later, setLater] = useState<{ of: string; found: Lead } | null>(null);
  const [copied, setCopied] = useState("");
  const ref = state && !linking ? linkRef(state) : null;
  const { from } = state && ref ? linkRange(state) : { from: undefined };
  const of = JSON.stringify(ref);
  useBeside(element, session, from, of);
  if (!ref || from === undefined) return null;
  const { view } = session;
  const found = later?.of === of ? later.found : lead(around(view).services, ref, (found) => setLater({ of, found }));
  const href = found.href && new URL(found.href, location.origin).href;
  return (
    <div
      ref={element}
      role="group"
      aria-label={t("editor.link.card")}
      className={styles.card}
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className={found.missing ? styles.missing : styles.title}>
        {found.missing ? t("editor.ref.missing") : found.title}
      </span>
      {href && (
        <IconButton label={t("editor.open")} onClick={() => window.open(href, "_blank", "noopener,noreferrer")}>
          <ExternalLink />
        </IconButton>
      )}
      {href && (
        <IconButton
          label={t(copied === href ? "editor.copied" : "editor.copy")}
          onClick={() => void copy(href).then((done) => done && setCopied(href))}
        >
          <Copy />
        </IconButton>
      )}
      <IconButton label={t("editor.link.edit")} keys="Mod+K" onClick={() => session.link(true)}>
        <Pencil />
      </IconButton>
      <IconButton
        label={t("editor.link.remove")}
        onClick={() => {
          leadTo(null)(view.state, view.dispatch, view);
          view.focus();
        }}
      >
        <Unlink />
      </IconButton>
    </div>
  );
}
