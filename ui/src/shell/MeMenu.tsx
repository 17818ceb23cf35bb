import { useQuery } from "@tanstack/react-query";
import { LogOut, UserRound } from "lucide-react";
import { useRef } from "react";
import { me } from "../change-request/draft";
import { Avatar } from "../look/Avatar";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../look/Menu";
import { t } from "../words/words";
import styles from "./Rail.module.css";

// MeMenu says who is signed in, and leads to their account and out.
export function MeMenu() {
  const user = useQuery(me).data;
  const form = useRef<HTMLFormElement>(null);
  if (!user) return <span className={styles.trigger} />;
  const trigger = (
    <button type="button" className={styles.trigger} aria-label={t("shell.me", { name: user.displayName })}>
      <Avatar name={user.displayName} picture={user.photoURL} />
      <span className={styles.name} aria-hidden>
        {t("shell.you")}
      </span>
    </button>
  );
  const who = (
    <span className={styles.who}>
      <strong>{user.displayName}</strong>
      {user.email}
    </span>
  );
  return (
    <>
      <form ref={form} method="post" action="/signout" hidden />
      <Menu trigger={trigger} side="right" align="end">
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
