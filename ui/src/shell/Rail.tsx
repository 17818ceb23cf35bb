// The bar with what is the same everywhere: at the side, and on phones at the foot.
import { Link, useParams } from "@tanstack/react-router";
import { Globe, House, Inbox, Search, UsersRound } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { unread } from "../inbox/queries";
import { lazy, Suspense, useState } from "react";
import { t } from "../words/words";
import { MeMenu } from "./MeMenu";
import { useOrganization } from "./organization";
import { there } from "./there";
import { OrganizationMenu } from "./OrganizationMenu";
import styles from "./Rail.module.css";
import { useShortcut } from "./useShortcut";

const Palette = lazy(() => import("../palette/Palette").then(({ Palette }) => ({ default: Palette })));

export function Rail() {
  const [finding, find] = useState(false);
  const { organization } = useOrganization();
  const waiting = useQuery({ ...unread(organization?.id ?? ""), enabled: organization !== undefined }).data ?? 0;
  useQuery({ ...there(organization?.id ?? ""), enabled: organization !== undefined });
  // In a space it leads to the field above its pages.
  const { space }: { space?: string } = useParams({ strict: false });
  useShortcut("palette", organization ? () => find(true) : undefined);
  useShortcut("anything", organization && !space ? () => find(true) : undefined);
  return (
    <nav className={styles.rail} aria-label={t("shell.navigation")}>
      <OrganizationMenu />
      <Link to="/" className={styles.item} activeOptions={{ exact: true }}>
        <House aria-hidden />
        <span className={styles.name}>{t("home.title")}</span>
      </Link>
      <Link to="/inbox" className={styles.item}>
        <Inbox aria-hidden />
        <span className={styles.name}>{t("inbox.title")}</span>
        {waiting > 0 && (
          <span className={styles.badge}>
            <span aria-hidden>{waiting > 99 ? "99+" : waiting}</span>
            <span className="visually-hidden">{t("inbox.unread", { count: waiting })}</span>
          </span>
        )}
      </Link>
      <button type="button" className={styles.item} onClick={() => find(true)} disabled={!organization}>
        <Search aria-hidden />
        <span className={styles.name}>{t("palette.open")}</span>
      </button>
      {organization && (
        <Link
          to="/orgs/$organization/sites"
          params={{ organization: organization.id }}
          className={`${styles.item} ${styles.wide}`}
        >
          <Globe aria-hidden />
          <span className={styles.name}>{t("shell.sites")}</span>
        </Link>
      )}
      {organization?.permissions.listMembers && (
        <Link
          to="/orgs/$organization/people"
          params={{ organization: organization.id }}
          className={`${styles.item} ${styles.wide}`}
        >
          <UsersRound aria-hidden />
          <span className={styles.name}>{t("shell.people")}</span>
        </Link>
      )}
      {organization && finding && (
        <Suspense fallback={null}>
          <Palette organization={organization.id} open onOpenChange={find} />
        </Suspense>
      )}
      <span className={styles.gap} />
      <MeMenu />
    </nav>
  );
}
