import { LogOut, UserRound } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../look/Menu";
import { t } from "../words/words";
import styles from "./Rail.module.css";

// MePopup is the menu of who is signed in, which opens with it.
export function MePopup({ trigger, name, email }: { trigger: ReactElement; name: string; email: string | undefined }) {
  const [open, setOpen] = useState(true);
  const form = useRef<HTMLFormElement>(null);
  const who = (
    <span className={styles.who}>
      <strong>{name}</strong>
      {email}
    </span>
  );
  return (
    <>
      <form ref={form} method="post" action="/signout" hidden />
      <Menu trigger={trigger} side="right" align="end" open={open} onOpenChange={setOpen}>
        <MenuGroup label={who} />
        <MenuSeparator />
        <MenuItem icon={<UserRound />} render={<a href="/account" />}>
          {t("shell.account")}
        </MenuItem>
        <MenuItem icon={<LogOut />} onClick={() => form.current?.submit()}>
          {t("shell.signOut")}
        </MenuItem>
      </Menu>
    </>
  );
}
