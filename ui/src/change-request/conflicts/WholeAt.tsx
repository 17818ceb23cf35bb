// A page, a file or a reusable content as it is at a revision.
import { useQuery } from "@tanstack/react-query";
import { Failed } from "../../look/Failed";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import { DocNode } from "../DocNode";
import { DocPlace } from "../Picture";
import styles from "./ConflictBody.module.css";
import { type Subject, wholeAt } from "./queries";

export function WholeAt({ space, revision, subject }: { space: string; revision: string; subject: Subject }) {
  const asked = useQuery(wholeAt(space, revision, subject));
  if (asked.isError) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton lines={3} />;
  const { title, path, nodes, picture } = asked.data;
  return (
    <div className={styles.whole}>
      <p className={styles.wholeTitle}>{title || t("tree.untitled")}</p>
      {path && <p className={styles.path}>{path}</p>}
      {picture && <img src={picture} alt={title} className={styles.picture} />}
      <DocPlace value={{ space, revisions: [revision] }}>
        {nodes?.map((node, index) => (
          <DocNode key={index} node={node} />
        ))}
      </DocPlace>
    </div>
  );
}
