// What else a pasted address can be than a link. It goes away as one types on.
import { useRef, useSyncExternalStore } from "react";
import { t } from "../words/words";
import { become, becomes, lonelyKey } from "./lonely";
import picker from "./picker/Picker.module.css";
import type { Session } from "./session";
import styles from "./LonelyMenu.module.css";
import { useBeside } from "./useBeside";

export function LonelyMenu({ session }: { session: Session }) {
  const open = useSyncExternalStore(session.subscribe, () => lonelyKey.getState(session.state()) ?? null);
  const element = useRef<HTMLDivElement>(null);
  useBeside(element, session, open?.from, null);
  if (!open) return null;
  return (
    <div ref={element} id="lonely-menu" role="listbox" tabIndex={-1} aria-label={t("editor.lonely")} className={styles.menu} onMouseDown={(event) => event.preventDefault()}>
      {becomes(open).map((choice, index) => (
        <div key={choice.id} id={`lonely-${choice.id}`} role="option" aria-selected={index === open.index} className={picker.option} onClick={() => become(session.view, choice)}>
          <span className={picker.title}>{choice.name ?? t(choice.label)}</span>
        </div>
      ))}
    </div>
  );
}
