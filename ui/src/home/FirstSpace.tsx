import { NotebookText } from "lucide-react";
import { EmptyState } from "../look/EmptyState";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import styles from "./Home.module.css";
import { NewSpace } from "./NewSpace";

// FirstSpace is the home of an organization without a space: make one, or bring docs along.
export function FirstSpace({ organization }: { organization: Organization }) {
  if (!organization.permissions.createContent) {
    return (
      <EmptyState icon={<NotebookText />} title={t("home.noSpaces")}>
        {t("home.noSpacesReader")}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<NotebookText />} title={t("home.noSpaces")} action={<NewSpace organization={organization.id} collections={[]} label={t("home.firstSpace")} kind="primary" />}>
      <p>{t("home.noSpacesWriter")}</p>
      <p className={styles.quiet}>{t("home.import")}</p>
      <code className={styles.command}>recto import ./docs --space space_…</code>
    </EmptyState>
  );
}
