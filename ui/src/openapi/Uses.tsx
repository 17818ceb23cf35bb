// Where a description is used. The links of each space say so, so it is looked up when somebody asks.
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { spacesOf } from "../home/queries";
import { Button } from "../look/Button";
import { Spinner } from "../look/Spinner";
import { t } from "../words/words";
import styles from "./OpenAPI.module.css";
import { specsIn } from "./queries";

export function Uses({ organization, slug }: { organization: string; slug: string }) {
  const [looked, look] = useState(false);
  const spaces = useQuery({ ...spacesOf(organization), enabled: looked }).data ?? [];
  const uses = useQueries({ queries: spaces.map((space) => ({ ...specsIn(space.id), enabled: looked })) });
  const waiting = looked && (spaces.length === 0 || uses.some(({ isPending }) => isPending));
  const found = spaces.flatMap((space, index) => {
    const use = uses[index]?.data?.find((each) => each.slug === slug);
    return use ? [{ space, count: use.places.length }] : [];
  });
  return (
    <section className={styles.part} aria-labelledby="spec-uses">
      <h2 id="spec-uses" className={styles.heading}>
        {t("openapi.uses")}
      </h2>
      {!looked && (
        <p>
          <Button onClick={() => look(true)}>{t("openapi.uses.look")}</Button>
        </p>
      )}
      {waiting && <Spinner label={t("look.loading")} />}
      {looked && !waiting && found.length === 0 && <p className={styles.note}>{t("openapi.uses.none")}</p>}
      {found.length > 0 && (
        <ul className={styles.rows}>
          {found.map(({ space, count }) => (
            <li key={space.id} className={styles.row}>
              <Link to="/spaces/$space/openapi" params={{ space: space.id }} className={styles.name}>
                {space.title}
              </Link>
              <span className={styles.note}>{t("openapi.uses.pages", { count })}</span>
            </li>
          ))}
        </ul>
      )}
      {looked && uses.some(({ isError }) => isError) && <p className={styles.note}>{t("openapi.uses.failed")}</p>}
    </section>
  );
}
