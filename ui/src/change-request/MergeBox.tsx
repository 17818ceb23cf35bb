// What is between a change request and the main content: a row for each thing that is missing, how to get it, and the
// one next step.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, ExternalLink, GitMerge, TriangleAlert } from "lucide-react";
import { Button, buttonClass } from "../look/Button";
import { Failed, failureText } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import type { Space } from "../space/queries";
import { t } from "../words/words";
import type { ChangeRequest } from "./draft";
import styles from "./MergeBox.module.css";
import { ConflictList } from "./ConflictList";
import { readiness, reviewsOf, touched, write } from "./queries";

type Props = { space: Space; request: ChangeRequest };
type Step = "merge" | "update" | "undo" | "draft" | "open" | "archived" | "approved" | "changes-requested";

export function MergeBox({ space, request }: Props) {
  const live = request.status === "draft" || request.status === "open";
  const queries = useQueryClient();
  const navigate = useNavigate();
  const ready = useQuery({ ...readiness(space.id, request.number), enabled: live });
  const reviews = useQuery(reviewsOf(space.id, request.number)).data ?? [];
  const step = useMutation({
    mutationFn: async (what: Step) => {
      const { id } = space;
      if (what === "merge") return void (await write.merge(id, request.number));
      if (what === "update") return void (await write.update(id, request.number));
      if (what === "undo") return (await write.undo(id, request.number)).changeRequest?.number;
      if (what === "approved" || what === "changes-requested") return void (await write.review(id, request.number, what));
      return void (await write.change(id, request.number, { status: what }));
    },
    onSuccess: (made) =>
      made === undefined ? undefined : navigate({ to: "/spaces/$space/changes/$number", params: { space: space.id, number: String(made) } }),
    onSettled: () => Promise.all(touched(space.id).map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const button = (what: Step, kind: "primary" | "plain" | "quiet" = "plain", disabled = false) => (
    <Button kind={kind} disabled={disabled || (step.isPending && step.variables !== what)} busy={step.isPending && step.variables === what} onClick={() => step.mutate(what)} aria-describedby={disabled ? "merge-reasons" : undefined}>
      {t(`change.do.${what}`)}
    </Button>
  );
  const { edit, merge, review } = space.permissions;
  const conflicts = ready.data?.conflicts ?? [];
  const reasons = ready.data?.reasons ?? [];
  const free = ready.data !== undefined && conflicts.length === 0 && reasons.length === 0;
  return (
    <section className={styles.box} aria-labelledby="merge-box">
      <h2 id="merge-box" className={styles.heading}>
        {t(`change.box.${request.status}`)}
      </h2>
      {live && (
        <ul className={styles.checks} id="merge-reasons">
          {ready.isPending && (
            <li>
              <Skeleton lines={2} />
            </li>
          )}
          {ready.isError && <Check state="wrong" text={failureText(ready.error)} />}
          {free && <Check state="met" text={t("change.free")} />}
          {reasons.map((reason) => (
            <Check key={reason} state="wrong" text={reason} />
          ))}
          {conflicts.length > 0 && <Check state="wrong" text={t("change.conflicts", { count: conflicts.length })} />}
          {conflicts.length > 0 && <ConflictList space={space.id} number={request.number} conflicts={conflicts} />}
          {request.outdated && conflicts.length === 0 && <Check state="hint" text={t("change.outdated")} />}
          {reviews.map((each) => (
            <Check
              key={each.id}
              state={each.outdated ? "hint" : each.status === "approved" ? "met" : "wrong"}
              text={t(each.outdated ? "change.review.outdated" : `change.review.${each.status}`, { name: each.reviewer.displayName })}
            />
          ))}
        </ul>
      )}
      {step.isError && <Failed failure={step.error} />}
      <div className={styles.steps}>
        {live && edit && conflicts.length > 0 && (
          <Link to="/spaces/$space/changes/$number/conflicts" params={{ space: space.id, number: String(request.number) }} className={buttonClass("primary")}>
            <GitMerge aria-hidden />
            {t("change.settle")}
          </Link>
        )}
        {request.status === "draft" && edit && button("open", "primary")}
        {live && merge && button("merge", request.status === "open" ? "primary" : "plain", !free)}
        {request.status === "open" && review && button("approved")}
        {request.status === "open" && review && button("changes-requested", "quiet")}
        {live && edit && request.outdated && button("update")}
        {request.status === "open" && edit && button("draft", "quiet")}
        {live && edit && button("archived", "quiet")}
        {request.status === "archived" && edit && button("draft")}
        {request.status === "merged" && space.urls.published && (
          <a href={space.urls.published} target="_blank" rel="noopener" className={buttonClass("primary")}>
            <ExternalLink aria-hidden />
            {t("change.onSite")}
          </a>
        )}
        {request.status === "merged" && edit && button("undo")}
      </div>
    </section>
  );
}

const icons = { met: CircleCheck, wrong: CircleAlert, hint: TriangleAlert };

function Check({ state, text }: { state: keyof typeof icons; text: string }) {
  const Icon = icons[state];
  return (
    <li className={styles.check} data-state={state}>
      <Icon aria-hidden />
      <span>{text}</span>
    </li>
  );
}
