import { lazy } from "react";
import { initials } from "../look/person";
import { t } from "../words/words";
import { Opening } from "./Opening";
import { type Organization, useOrganization } from "./organization";
import styles from "./Rail.module.css";

const load = () => import("./OrganizationPopup").then(({ OrganizationPopup }) => ({ default: OrganizationPopup }));
const OrganizationPopup = lazy(load);

// OrganizationMenu says in which organization one is, and leads to the others.
export function OrganizationMenu() {
  const { mine, organization } = useOrganization();
  if (!organization) return <span className={styles.trigger} />;
  const trigger = (
    <button type="button" className={styles.trigger} aria-label={t("shell.organization", { name: organization.title })}>
      <Mark organization={organization} />
      <span className={styles.name} aria-hidden>
        {organization.title}
      </span>
    </button>
  );
  return (
    <Opening trigger={trigger} load={load}>
      <OrganizationPopup trigger={trigger} mine={mine} shown={organization.id} />
    </Opening>
  );
}

function Mark({ organization }: { organization: Organization }) {
  const logo = organization.urls.logo;
  return (
    <span className={styles.mark} data-initial={logo ? "" : [...initials(organization.title)][0]} aria-hidden>
      {logo && <img src={logo} alt="" />}
    </span>
  );
}
