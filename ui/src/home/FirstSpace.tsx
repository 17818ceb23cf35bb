import { NotebookText } from "lucide-react";
import { EmptyState } from "../look/EmptyState";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import { Beginnings } from "./Beginnings";
import styles from "./Home.module.css";

// FirstSpace is the home of an organization without a space: bring docs along, take a template, or begin with nothing.
export function FirstSpace({ organization }: { organization: Organization }) {
  if (!organization.permissions.createContent) {
    return (
      <EmptyState icon={<NotebookText />} title={t("home.noSpaces")}>
        {t("home.noSpacesReader")}
      </EmptyState>
    );
  }
  return (
    <section className={styles.section} aria-labelledby="home-begin">
      <h2 id="home-begin" className={styles.begin}>
        {t("home.begin")}
      </h2>
      <p className={styles.lead}>{t("home.noSpacesWriter")}</p>
      <Beginnings organization={organization.id} />
    </section>
  );
}
