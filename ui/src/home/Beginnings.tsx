import { Link } from "@tanstack/react-router";
import { FileDown, LayoutTemplate, type LucideIcon, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { later } from "../words/later";
import { t } from "../words/words";
import styles from "./Beginnings.module.css";

const NewSpaceDialog = later(() => import("./NewSpaceDialog").then(({ NewSpaceDialog }) => NewSpaceDialog));

// Beginnings are the three ways to a space: docs that are there already, a template, or nothing yet.
export function Beginnings({ organization }: { organization: string }) {
  const [open, setOpen] = useState(false);
  const words = (Icon: LucideIcon, way: "import" | "template" | "blank") => (
    <>
      <span className={styles.sign} aria-hidden>
        <Icon />
      </span>
      <strong>{t(`home.begin.${way}`)}</strong>
      <span className={styles.about}>{t(`home.begin.${way}.text`)}</span>
    </>
  );
  const to = { to: "/orgs/$organization/start", params: { organization }, className: styles.way } as const;
  return (
    <>
      <ul className={styles.ways}>
        <li>
          <Link {...to} search={{ with: "import" }}>
            {words(FileDown, "import")}
          </Link>
        </li>
        <li>
          <Link {...to} search={{ with: "template" }}>
            {words(LayoutTemplate, "template")}
          </Link>
        </li>
        <li>
          <button type="button" className={styles.way} onClick={() => setOpen(true)}>
            {words(Plus, "blank")}
          </button>
        </li>
      </ul>
      {open && (
        <Suspense fallback={null}>
          <NewSpaceDialog organization={organization} collections={[]} open onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
