// The names that an expression can be made of: variables of the space and of the page with their values, and what is
// known of readers.
import { useEffect, useState } from "react";
import { t } from "../../words/words";
import type { Services } from "../services";
import styles from "./Forms.module.css";

type Named = { name: string; value: string };

const named = (root: string, variables: Record<string, unknown>): Named[] =>
  Object.entries(variables).map(([name, value]) => ({ name: `${root}.vars.${name}`, value: String(value) }));

export function Variables({ services, onChoose }: { services: Services; onChoose: (name: string) => void }) {
  const [names, setNames] = useState<Named[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let left = false;
    Promise.all([services.pageVariables(), services.variables()]).then(
      ([page, space]) => !left && setNames([...named("page", page), ...named("space", space)]),
      () => !left && setFailed(true),
    );
    return () => void (left = true);
  }, [services]);
  const claim = { name: "visitor.claims.unsigned.", value: t("editor.variables.visitor") };
  return (
    <div role="group" aria-label={t("editor.variables")}>
      <p className={styles.note}>{failed ? t("editor.variables.failed") : t("editor.variables")}</p>
      <div className={styles.names}>
        {[...(names ?? []), claim].map(({ name, value }) => (
          <button key={name} type="button" className={styles.name} onClick={() => onChoose(name)}>
            <code>{name}</code>
            <span>{value}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
