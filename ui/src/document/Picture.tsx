// A picture of a document, as it is at the revisions that the document is from. Nothing is loaded from other hosts.
import { useQueries } from "@tanstack/react-query";
import { useContext } from "react";
import { t } from "../words/words";
import styles from "./Document.module.css";
import type { Ref } from "./node";
import { DocPlace, fileAt } from "./place";

type Props = { source: Ref | undefined; alt: string; className?: string | undefined };

export function Picture({ source, alt, className = styles.picture }: Props) {
  const place = useContext(DocPlace);
  const id = source?.kind === "file" ? source.file : undefined;
  const revisions = (place && id ? place.revisions : []).filter((each) => each !== undefined);
  // A picture may be at one of them alone.
  const asked = useQueries({
    queries: revisions.map((revision) => ({ ...fileAt(place?.space ?? "", revision, id ?? ""), retry: false })),
  });
  const found = asked.find((each) => each.data?.contentType.startsWith("image/"))?.data;
  return (
    <>
      {found ? (
        <img src={found.downloadURL} alt={alt} className={className} loading="lazy" />
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
