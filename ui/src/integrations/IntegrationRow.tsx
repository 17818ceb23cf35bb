// An integration in a list: what it is, and the way to it.
import { Link } from "@tanstack/react-router";
import { Blocks } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./Integrations.module.css";
import type { Integration } from "./queries";

type Props = { organization: string; integration: Integration; children?: ReactNode };

export function IntegrationRow({ organization, integration: { name, title, description, urls }, children }: Props) {
  return (
    <li className={styles.row}>
      <span className={styles.icon} aria-hidden>
        {urls.icon ? <img src={urls.icon} alt="" /> : <Blocks />}
      </span>
      <span className={styles.words}>
        <Link
          to="/orgs/$organization/integrations/$integration"
          params={{ organization, integration: name }}
          className={styles.name}
        >
          {title}
        </Link>
        <span className={styles.note}>{description}</span>
      </span>
      {children}
    </li>
  );
}
