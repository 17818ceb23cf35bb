// A change request: what it is called, how far it is, what it changes, and what comes next.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Eye, FileDiff } from "lucide-react";
import { Avatar } from "../look/Avatar";
import { buttonClass } from "../look/Button";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { space as spaceQuery } from "../space/queries";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { ChangedPages } from "./ChangedPages";
import styles from "./ChangeRequestScreen.module.css";
import { MergeBox } from "./MergeBox";
import { changeRequest } from "./queries";
import { Status } from "./Status";
import { Subject } from "./Subject";

export function ChangeRequestScreen() {
  const { space = "", number: text = "" }: { space?: string; number?: string } = useParams({ strict: false });
  const number = Number(text);
  const asked = useQuery(changeRequest(space, number));
  const about = useQuery(spaceQuery(space)).data;
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  const request = asked.data;
  if (!request) {
    return (
      <div className={styles.screen}>
        <Skeleton lines={5} />
      </div>
    );
  }
  const preview = request.status === "draft" || request.status === "open" ? request.urls.preview : undefined;
  return (
    <div className={styles.screen}>
      <Title text={request.subject || t("space.untitledChange")} />
      <Subject space={space} request={request} editable={Boolean(about?.permissions.edit) && request.status !== "merged"} />
      <p className={styles.about}>
        <Status status={request.status} />
        <span className={styles.author}>
          <Avatar size="small" name={request.createdBy.displayName} />
          {t("change.by", { author: request.createdBy.displayName })}
        </span>
        <Time at={request.updatedAt} />
      </p>
      <p className={styles.links}>
        <Link to="/spaces/$space/changes/$number/diff" params={{ space, number: text }} className={buttonClass()}>
          <FileDiff aria-hidden />
          {t("change.seeChanges")}
        </Link>
        {preview && (
          <a href={preview} target="_blank" rel="noopener" className={buttonClass()}>
            <Eye aria-hidden />
            {t("change.preview")}
          </a>
        )}
      </p>
      <div className={styles.columns}>
        <ChangedPages space={space} number={number} />
        {about && <MergeBox space={about} request={request} />}
      </div>
    </div>
  );
}
