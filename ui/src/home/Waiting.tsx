// What waits for me, and why: who has named or answered me, my drafts, reviews that others ask of me, and what I have
// asked others to review.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { AtSign, GitPullRequestArrow, MessageSquare, MessageSquareDiff, PencilLine } from "lucide-react";
import { type ChangeRequest, me } from "../change-request/draft";
import { addressed, leads, type Notification } from "../inbox/queries";
import { buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import type { Space } from "../space/queries";
import { Time } from "../words/Time";
import { t } from "../words/words";
import styles from "./Home.module.css";
import { changeRequestsOf } from "./queries";

const icons = { review: MessageSquareDiff, draft: PencilLine, open: GitPullRequestArrow };
type Why = keyof typeof icons;

export function Waiting({ organization, spaces }: { organization: string; spaces: Space[] }) {
  const user = useQuery(me).data?.id ?? "";
  const known = { enabled: user !== "" };
  const reviews = useQuery({
    ...changeRequestsOf(organization, { status: "open", requestedReviewer: user }),
    ...known,
  });
  const drafts = useQuery({ ...changeRequestsOf(organization, { status: "draft", creator: user }), ...known });
  const open = useQuery({ ...changeRequestsOf(organization, { status: "open", creator: user }), ...known });
  const told = useQuery(addressed(organization));
  const kinds = [
    { why: "review", asked: reviews },
    { why: "draft", asked: drafts },
    { why: "open", asked: open },
  ] as const;
  const nothing = told.data?.length === 0 && kinds.every(({ asked }) => asked.data?.length === 0);
  return (
    <section aria-labelledby="home-waiting">
      <h2 id="home-waiting" className={styles.heading}>
        {t("home.waiting")}
      </h2>
      {kinds.some(({ asked }) => asked.isPending) && <Skeleton shape="card" lines={2} />}
      {told.isError && <Failed failure={told.error} onRetry={() => void told.refetch()} />}
      {kinds.map(
        ({ why, asked }) =>
          asked.isError && <Failed key={why} failure={asked.error} onRetry={() => void asked.refetch()} />,
      )}
      <ul className={styles.list} hidden={kinds.every(({ asked }) => !asked.data)}>
        {nothing && <li className={styles.quiet}>{t("home.nothingWaits")}</li>}
        {told.data?.map((notification) => <Told key={notification.id} notification={notification} />)}
        {kinds.flatMap(({ why, asked }) =>
          (asked.data ?? []).map((request) => (
            <Item
              key={why + request.id}
              why={why}
              request={request}
              space={spaces.find((each) => each.id === request.space)}
            />
          )),
        )}
      </ul>
    </section>
  );
}

function Item({ why, request, space }: { why: Why; request: ChangeRequest; space: Space | undefined }) {
  const Icon = icons[why];
  const author = request.createdBy.displayName;
  return (
    <li>
      <Link
        to="/spaces/$space/changes/$number"
        params={{ space: request.space, number: String(request.number) }}
        className={styles.row}
      >
        <span className={styles.sign} data-kind={why}>
          <Icon aria-hidden />
        </span>
        <span className={styles.what}>
          <span className={styles.subject}>{request.subject || t("space.untitledChange")}</span>
          <span className={styles.about}>
            {t(`home.why.${why}`, { author })} · {space ? `${space.title} ` : ""}#{request.number} ·{" "}
            <Time at={request.updatedAt} />
          </span>
        </span>
        {why === "draft" && <span className={buttonClass("plain")}>{t("home.continue")}</span>}
      </Link>
    </li>
  );
}

// Told is a mention or a reply that was not read.
function Told({ notification }: { notification: Notification }) {
  const Icon = notification.kind === "mention" ? AtSign : MessageSquare;
  return (
    <li>
      <Link to={leads(notification)} className={styles.row}>
        <span className={styles.sign} data-kind="draft">
          <Icon aria-hidden />
        </span>
        <span className={styles.what}>
          <span className={styles.subject}>{notification.text}</span>
          <span className={styles.about}>
            {t(`inbox.kind.${notification.kind}`, { actor: notification.actor?.displayName ?? t("inbox.somebody") })} ·{" "}
            {notification.space.title} · <Time at={notification.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  );
}
