// What is between a change request and the main content, and the one next step. A button that may not be pressed says
// why in words.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ExternalLink, GitMerge } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import type { Space } from "../space/queries";
import { t } from "../words/words";
import { Checks } from "./Checks";
import { conflictsOf } from "./conflicts/queries";
import type { ChangeRequest } from "./draft";
import styles from "./MergeBox.module.css";
import { MergeMessage } from "./MergeMessage";
import { Previews } from "./Previews";
import { readiness, touched, write } from "./queries";
import { ReviewForm } from "./ReviewForm";

type Props = { space: Space; request: ChangeRequest };
type Step = "merge" | "update" | "undo" | "draft" | "open" | "archived";

export function MergeBox({ space, request }: Props) {
  const live = request.status === "draft" || request.status === "open";
  const { edit, merge, comment, review } = space.permissions;
  const [message, setMessage] = useState("");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const ready = useQuery({ ...readiness(space.id, request.number), enabled: live && merge });
  const conflicts = useQuery({ ...conflictsOf(space.id, request.number), enabled: live }).data ?? [];
  const step = useMutation({
    mutationFn: async (what: Step) => {
      const { id } = space;
      if (what === "merge") return void (await write.merge(id, request.number, message.trim()));
      if (what === "update") return void (await write.update(id, request.number));
      if (what === "undo") return (await write.undo(id, request.number)).changeRequest?.number;
      return void (await write.change(id, request.number, { status: what }));
    },
    onSuccess: (made) =>
      made === undefined
        ? undefined
        : navigate({ to: "/spaces/$space/changes/$number", params: { space: space.id, number: String(made) } }),
    onSettled: () => Promise.all(touched(space.id).map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const button = (what: Step, kind: "primary" | "plain" | "quiet" = "plain", disabled = false) => (
    <Button
      kind={kind}
      disabled={disabled || (step.isPending && step.variables !== what)}
      busy={step.isPending && step.variables === what}
      onClick={() => step.mutate(what)}
      aria-describedby={disabled ? "merge-why" : undefined}
    >
      {t(`change.do.${what}`)}
    </Button>
  );
  const reasons = ready.data?.reasons ?? [];
  const free = ready.data !== undefined && ready.data.conflicts.length === 0 && reasons.length === 0;
  const why = conflicts.length > 0 ? t("change.whyConflicts") : reasons.join(" ");
  return (
    <section className={styles.box} aria-labelledby="merge-box">
      <h2 id="merge-box" className={styles.heading}>
        {t(`change.box.${request.status}`)}
      </h2>
      {live && <Checks space={space.id} request={request} />}
      {live && merge && (
        <p className={styles.why} id="merge-why">
          {free ? t("change.free") : why}
        </p>
      )}
      {live && merge && free && (
        <MergeMessage
          usual={`Merge change request #${request.number}${request.subject ? `: ${request.subject}` : ""}`}
          value={message}
          onChange={setMessage}
        />
      )}
      {live && !merge && <p className={styles.why}>{t("change.notYou")}</p>}
      {step.isError && <Failed failure={step.error} />}
      <div className={styles.steps}>
        {live && edit && conflicts.length > 0 && (
          <Link
            to="/spaces/$space/changes/$number/conflicts"
            params={{ space: space.id, number: String(request.number) }}
            className={buttonClass("primary")}
          >
            <GitMerge aria-hidden />
            {t("change.settle")}
          </Link>
        )}
        {request.status === "draft" && edit && button("open", "primary")}
        {live &&
          merge &&
          button("merge", request.status === "open" && conflicts.length === 0 ? "primary" : "plain", !free)}
        {live && comment && (
          <ReviewForm space={space.id} request={request} review={review && request.status === "open"} />
        )}
        {live && edit && request.outdated && conflicts.length === 0 && button("update")}
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
      {live && request.urls.preview && (
        <div className={styles.steps}>
          <Previews space={space.id} request={request} first={request.urls.preview} />
        </div>
      )}
    </section>
  );
}
