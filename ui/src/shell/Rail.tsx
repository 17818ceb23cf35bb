// The bar with what is the same everywhere: at the side, and on phones at the foot.
import { Link } from "@tanstack/react-router";
import { House } from "lucide-react";
import { t } from "../words/words";
import { MeMenu } from "./MeMenu";
import { OrganizationMenu } from "./OrganizationMenu";
import styles from "./Rail.module.css";

export function Rail() {
  return (
    <nav className={styles.rail} aria-label={t("shell.navigation")}>
      <OrganizationMenu />
      <Link to="/" className={styles.item} activeOptions={{ exact: true }}>
        <House aria-hidden />
        <span className={styles.name}>{t("home.title")}</span>
      </Link>
      <span className={styles.gap} />
      <MeMenu />
    </nav>
  );
}
