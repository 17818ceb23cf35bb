import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { me } from "../change-request/draft";
import { Avatar } from "../look/Avatar";
import { t } from "../words/words";
import { Opening } from "./Opening";
import styles from "./Rail.module.css";

const load = () => import("./MePopup").then(({ MePopup }) => ({ default: MePopup }));
const MePopup = lazy(load);

// MeMenu says who is signed in, and leads to their account and out.
export function MeMenu() {
  const user = useQuery(me).data;
  if (!user) return <span className={styles.trigger} />;
  const trigger = (
    <button type="button" className={styles.trigger} aria-label={t("shell.me", { name: user.displayName })}>
      <Avatar name={user.displayName} picture={user.photoURL} />
      <span className={styles.name} aria-hidden>
        {t("shell.you")}
      </span>
    </button>
  );
  return (
    <Opening trigger={trigger} load={load}>
      <MePopup trigger={trigger} name={user.displayName} email={user.email} />
    </Opening>
  );
}
