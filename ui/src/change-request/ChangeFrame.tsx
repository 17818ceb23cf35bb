// What stands above every part of a change request: its subject, how far it is, and its parts as tabs.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { threads } from "../comments/queries";
import { Avatar } from "../look/Avatar";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { type Space, space as spaceQuery } from "../space/queries";
import { Time } from "../words/Time";
import { t } from "../words/words";
import styles from "./ChangeFrame.module.css";
import { ConflictNotice } from "./ConflictNotice";
import { type ChangeRequest, isLive } from "./draft";
import { changeRequest } from "./queries";
import { Status } from "./Status";
import { Subject } from "./Subject";

type Tab = "overview" | "changes" | "conversation" | "commits";
type Props = { tab: Tab; children: (request: ChangeRequest, space: Space) => ReactNode };

export function ChangeFrame({ tab, children }: Props) {
  const { space = "", number: text = "" }: { space?: string; number?: string } = useParams({ strict: false });
  const number = Number(text);
  const asked = useQuery(changeRequest(space, number));
  const about = useQuery(spaceQuery(space)).data;
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  const request = asked.data;
  if (!request || !about) {
    return (
      <div className={styles.screen}>
        <Skeleton lines={5} />
      </div>
    );
  }
  return (
    <div className={styles.screen}>
      <Title text={request.subject || t("space.untitledChange")} />
      <Subject space={space} request={request} editable={about.permissions.edit && request.status !== "merged"} />
      <p className={styles.about}>
        <Status status={request.status} />
        <span className={styles.author}>
          <Avatar size="small" name={request.createdBy.displayName} />
          {t("change.by", { author: request.createdBy.displayName })}
        </span>
        <Time at={request.updatedAt} />
      </p>
      <ChangeTabs space={space} number={text} tab={tab} />
      <ConflictNotice space={space} number={number} live={isLive(request)} />
      {children(request, about)}
    </div>
  );
}

// ChangeTabs leads to the parts of a change request, each at an address of its own.
export function ChangeTabs({ space, number, tab }: { space: string; number: string; tab: Tab }) {
  const params = { space, number };
  const open =
    useQuery(threads({ space, change: Number(number) })).data?.filter((each) => each.status === "open").length ?? 0;
  const current = (each: Tab) => (each === tab ? { "aria-current": "page" as const } : {});
  return (
    <nav className={styles.tabs} aria-label={t("change.parts")}>
      <Link
        to="/spaces/$space/changes/$number"
        params={params}
        activeOptions={{ exact: true }}
        className={styles.tab}
        {...current("overview")}
      >
        {t("change.tab.overview")}
      </Link>
      <Link to="/spaces/$space/changes/$number/diff" params={params} className={styles.tab} {...current("changes")}>
        {t("change.tab.changes")}
      </Link>
      <Link
        to="/spaces/$space/changes/$number/conversation"
        params={params}
        className={styles.tab}
        {...current("conversation")}
      >
        {t("comment.conversation")}
        {open > 0 && <span className={styles.count}>{t("comment.open", { count: open })}</span>}
      </Link>
      <Link to="/spaces/$space/changes/$number/commits" params={params} className={styles.tab} {...current("commits")}>
        {t("change.tab.commits")}
      </Link>
    </nav>
  );
}
