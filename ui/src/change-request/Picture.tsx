// A picture of a page that is looked at, as it is at the revisions that the page is from.
import { useQueries } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { t } from "../words/words";
import { wholeAt } from "./conflicts/queries";
import styles from "./DocNode.module.css";

// DocPlace says where what is drawn is from: the newest revision first.
export const DocPlace = createContext<{ space: string; revisions: (string | undefined)[] } | null>(null);

type Ref = { kind?: string; file?: string; url?: string };

export function Picture({ source, alt }: { source: Ref | undefined; alt: string }) {
  const place = useContext(DocPlace);
  const id = source?.kind === "file" ? source.file : undefined;
  const revisions = (place && id ? place.revisions : []).filter((each) => each !== undefined);
  // A picture may be at one of them alone.
  const asked = useQueries({
    queries: revisions.map((revision) => ({
      ...wholeAt(place?.space ?? "", revision, { kind: "file", id: id ?? "", title: "" }),
      retry: false,
    })),
  });
  const found = asked.find((each) => each.data?.picture)?.data;
  return (
    <>
      {found?.picture ? (
        <img src={found.picture} alt={alt} className={styles.picture} loading="lazy" />
      ) : (
        <span className={styles.other}>
          <span className={styles.label}>{t("diff.picture")}</span>{" "}
          {source?.url ?? (asked.some((each) => each.isPending) ? "…" : "")}
        </span>
      )}
      {alt && (
        <span className={styles.alt}>
          {t("diff.alt")} {alt}
        </span>
      )}
    </>
  );
}
