// Who has written in a change request, and who is asked to review it or has, with what they said. A review of an
// earlier state is grey and leads to what has changed since.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, Clock, History, RotateCw, UserPlus, X } from "lucide-react";
import { Avatar } from "../look/Avatar";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Menu, MenuItem } from "../look/Menu";
import type { Space } from "../space/queries";
import { Time } from "../words/Time";
import { t } from "../words/words";
import type { ChangeRequest } from "./draft";
import styles from "./People.module.css";
import { authorsOf, type Review, reviewersOf, reviewsOf, touched, whoMayReview, write } from "./queries";

type Props = { space: Space; request: ChangeRequest };

export function People({ space, request }: Props) {
  const live = request.status === "draft" || request.status === "open";
  const mayAsk = live && space.permissions.edit;
  const queries = useQueryClient();
  const authors = useQuery(authorsOf(space.id, request.number)).data ?? [];
  const asked = useQuery(reviewersOf(space.id, request.number)).data ?? [];
  const reviews = useQuery(reviewsOf(space.id, request.number)).data ?? [];
  const able = useQuery({ ...whoMayReview(space.id), enabled: mayAsk && space.permissions.listPeople }).data ?? [];
  const change = useMutation({
    mutationFn: async ({ ask, remove }: { ask?: string; remove?: string }) => {
      if (ask) await write.askReview(space.id, request.number, ask);
      if (remove) await write.unaskReview(space.id, request.number, remove);
    },
    onSettled: () => Promise.all(touched(space.id).map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  // The newest review of each counts; who was asked and has said nothing comes after.
  const said = new Map<string, Review>();
  for (const review of reviews) if (!said.has(review.reviewer.id)) said.set(review.reviewer.id, review);
  const people = new Map(
    [...[...said.values()].map((each) => each.reviewer), ...asked.map((each) => each.user)].map((user) => [
      user.id,
      user,
    ]),
  );
  const free = able.filter((user) => !people.has(user.id));
  return (
    <>
      <section aria-labelledby="reviewers">
        <div className={styles.head}>
          <h2 id="reviewers" className={styles.heading}>
            {t("people.reviewers")}
          </h2>
          {mayAsk && free.length > 0 && (
            <Menu
              trigger={
                <Button kind="quiet" icon={<UserPlus />} busy={change.isPending}>
                  {t("people.ask")}
                </Button>
              }
            >
              {free.map((user) => (
                <MenuItem key={user.id} onClick={() => change.mutate({ ask: user.id })}>
                  {user.displayName}
                </MenuItem>
              ))}
            </Menu>
          )}
        </div>
        {people.size === 0 && <p className={styles.none}>{t("people.none")}</p>}
        <ul className={styles.list}>
          {[...people.values()].map((user) => {
            const review = said.get(user.id);
            const waits = asked.find((each) => each.user.id === user.id);
            return (
              <li key={user.id} className={styles.person} data-outdated={review?.outdated}>
                <Avatar size="small" name={user.displayName} />
                <div className={styles.words}>
                  <span className={styles.name}>{user.displayName}</span>
                  <State review={review} />
                  {review?.comment && <p className={styles.comment}>{review.comment.body.markdown}</p>}
                  {review?.outdated && (
                    <Link
                      to="/spaces/$space/changes/$number/diff"
                      params={{ space: space.id, number: String(request.number) }}
                      search={{ from: review.revision } as never}
                      className={styles.since}
                    >
                      {t("people.since")}
                    </Link>
                  )}
                </div>
                {mayAsk && review && (
                  <IconButton
                    label={t("people.again", { name: user.displayName })}
                    onClick={() => change.mutate({ ask: user.id })}
                  >
                    <RotateCw />
                  </IconButton>
                )}
                {mayAsk && waits && (
                  <IconButton
                    label={t("people.remove", { name: user.displayName })}
                    onClick={() => change.mutate({ remove: user.id })}
                  >
                    <X />
                  </IconButton>
                )}
              </li>
            );
          })}
        </ul>
        {change.isError && <Failed failure={change.error} />}
      </section>
      <section aria-labelledby="authors" hidden={authors.length === 0}>
        <h2 id="authors" className={styles.heading}>
          {t("people.authors")}
        </h2>
        <ul className={styles.list}>
          {authors.map(({ user, count }) => (
            <li key={user.id} className={styles.person}>
              <Avatar size="small" name={user.displayName} />
              <span className={styles.words}>{user.displayName}</span>
              <span className={styles.state}>{t("people.revisions", { count })}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function State({ review }: { review: Review | undefined }) {
  const Icon = !review ? Clock : review.outdated ? History : review.status === "approved" ? CircleCheck : CircleAlert;
  return (
    <span className={styles.state} data-state={review && !review.outdated ? review.status : undefined}>
      <Icon aria-hidden />
      {t(!review ? "people.waits" : review.outdated ? `people.outdated.${review.status}` : `people.${review.status}`)}
      {review && (
        <>
          {" · "}
          <Time at={review.createdAt} />
        </>
      )}
    </span>
  );
}
