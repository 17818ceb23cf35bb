// One thing that has happened to a change request, as a sentence. Its time leads to it.
import { Link } from "@tanstack/react-router";
import {
  Archive,
  CircleAlert,
  CircleCheck,
  GitMerge,
  GitPullRequest,
  GitPullRequestDraft,
  History,
  type LucideIcon,
  Pencil,
  RefreshCw,
  Sprout,
  TriangleAlert,
  Undo2,
  UserMinus,
  UserPlus,
} from "lucide-react";
import { useRef } from "react";
import { Time } from "../words/Time";
import { t } from "../words/words";
import type { Event } from "./queries";
import type { Moment } from "./timeline";
import styles from "./Timeline.module.css";

type Told = { icon: LucideIcon; text: string; tone?: "good" | "bad"; state?: string };
type Line = Exclude<Moment, { kind: "comment" }>;

export function MomentLine({ space, number, moment }: { space: string; number: number; moment: Line }) {
  const led = useRef(false);
  const { icon: Icon, text, tone, state } = tell(moment);
  const params = { space, number: String(number) };
  const first = moment.kind === "written" ? moment.revisions[0] : undefined;
  const last = moment.kind === "written" ? moment.revisions.at(-1) : undefined;
  const undoing = moment.kind === "event" && moment.event.kind === "undone" ? moment.event.number : undefined;
  return (
    <li
      id={moment.id}
      ref={(element) => {
        // Once, when it comes.
        if (!element || led.current || location.hash !== `#${moment.id}`) return;
        led.current = true;
        element.scrollIntoView({ block: "center" });
      }}
      className={styles.moment}
      data-tone={tone}
    >
      <span className={styles.sign}>
        <Icon aria-hidden />
      </span>
      <p className={styles.text}>
        {text}
        {state && <span className={styles.state}>{state}</span>}
        {first?.parents?.[0] && last && (
          <Link
            to="/spaces/$space/changes/$number/diff"
            params={params}
            search={{ from: first.parents[0], to: last.id } as never}
            className={styles.see}
          >
            {t("timeline.see")}
          </Link>
        )}
        {undoing !== undefined && (
          <Link to="/spaces/$space/changes/$number" params={{ space, number: String(undoing) }} className={styles.see}>
            #{undoing}
          </Link>
        )}
        <a href={`#${moment.id}`} className={styles.time} title={t("timeline.link")}>
          <Time at={moment.at} />
        </a>
      </p>
    </li>
  );
}

function tell(moment: Line): Told {
  switch (moment.kind) {
    case "created":
      return { icon: Sprout, text: t("timeline.created", { who: moment.who }) };
    case "merged":
      return { icon: GitMerge, text: t("timeline.merged", { who: moment.who || t("inbox.somebody") }), tone: "good" };
    case "review": {
      const { reviewer, status, outdated } = moment.review;
      const good = status === "approved";
      return {
        icon: good ? CircleCheck : CircleAlert,
        text: t(good ? "timeline.approved" : "timeline.changesRequested", { who: reviewer.displayName }),
        tone: good ? "good" : "bad",
        ...(outdated ? { state: t("timeline.outdated") } : {}),
      };
    }
    case "written": {
      const { who, revisions } = moment;
      const [only] = revisions;
      if (only?.type === "update") return { icon: RefreshCw, text: t("timeline.updated", { who }) };
      if (only?.message) return { icon: Pencil, text: t("timeline.said", { who, message: only.message }) };
      return { icon: Pencil, text: t("timeline.wrote", { who, count: revisions.length }) };
    }
    case "event":
      return tellEvent(moment.event);
  }
}

function tellEvent({ kind, actor, person, before = "", after = "", number = 0 }: Event): Told {
  const who = actor?.displayName ?? t("inbox.somebody");
  const whom = person?.displayName ?? t("inbox.somebody");
  switch (kind) {
    case "subject":
      return {
        icon: Pencil,
        text: t(after === "" ? "timeline.unnamed" : "timeline.renamed", {
          who,
          before: before || t("space.untitledChange"),
          after,
        }),
      };
    case "review-requested":
      return { icon: UserPlus, text: t("timeline.asked", { who, whom }) };
    case "review-unrequested":
      return { icon: UserMinus, text: t("timeline.unasked", { who, whom }) };
    case "conflicts":
      return { icon: TriangleAlert, text: t("timeline.conflicts", { who, count: number }), tone: "bad" };
    case "undone":
      return { icon: Undo2, text: t(number === 0 ? "timeline.undoneDirectly" : "timeline.undone", { who }) };
    case "status":
      if (after === "archived") return { icon: Archive, text: t("timeline.archived", { who }) };
      if (before === "archived") return { icon: History, text: t("timeline.reopened", { who }) };
      if (after === "draft") return { icon: GitPullRequestDraft, text: t("timeline.drafted", { who }) };
      return { icon: GitPullRequest, text: t("timeline.opened", { who }) };
  }
}
