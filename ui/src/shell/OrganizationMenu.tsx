import { useNavigate } from "@tanstack/react-router";
import { initials } from "../look/Avatar";
import { Menu, MenuChoice, MenuChoices } from "../look/Menu";
import { t } from "../words/words";
import { choose, type Organization, useOrganization } from "./organization";
import styles from "./Rail.module.css";

// OrganizationMenu says in which organization one is, and leads to the others.
export function OrganizationMenu() {
  const { mine, organization } = useOrganization();
  const navigate = useNavigate();
  if (!organization) return <span className={styles.trigger} />;
  const go = (id: string) => {
    choose(id);
    void navigate({ to: "/orgs/$organization", params: { organization: id } });
  };
  const trigger = (
    <button type="button" className={styles.trigger} aria-label={t("shell.organization", { name: organization.title })}>
      <Mark organization={organization} />
      <span className={styles.name} aria-hidden>
        {organization.title}
      </span>
    </button>
  );
  return (
    <Menu trigger={trigger} side="right" align="start">
      <MenuChoices label={t("shell.organizations")} value={organization.id} onChange={go}>
        {mine.map((each) => (
          <MenuChoice key={each.id} value={each.id}>
            {each.title}
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
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
