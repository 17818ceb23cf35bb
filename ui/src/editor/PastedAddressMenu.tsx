// What else a pasted address can be than a link. It goes away as one types on.
import { useRef, useSyncExternalStore } from "react";
import { t } from "../words/words";
import { become, becomes, pastedAddressKey } from "./pastedAddress";
import picker from "./picker/Picker.module.css";
import type { Session } from "./session";
import styles from "./PastedAddressMenu.module.css";
import { useBeside } from "./useBeside";

export function PastedAddressMenu({ session }: { session: Session }) {
  const open = useSyncExternalStore(session.subscribe, () => pastedAddressKey.getState(session.state()) ?? null);
  const element = useRef<HTMLDivElement>(null);
  useBeside(element, session, open?.from, null);
  if (!open) return null;
  return (
    <div
      ref={element}
      id="pasted-address-menu"
      role="listbox"
      tabIndex={-1}
      aria-label={t("editor.pastedAddress")}
      className={styles.menu}
      onMouseDown={(event) => event.preventDefault()}
    >
      {becomes(open).map((choice, index) => (
        <div
          key={choice.id}
          id={`pasted-address-${choice.id}`}
          role="option"
          aria-selected={index === open.index}
          className={picker.option}
          onClick={() => become(session.view, choice)}
        >
          <span className={picker.title}>{choice.name ?? t(choice.label)}</span>
        </div>
      ))}
    </div>
  );
}
