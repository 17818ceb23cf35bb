// A review: words, and what they come to. It is sent once, whole. Who may not review can comment here. It opens where
// one is, so that who reads on in the changes is where they were when it closes.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { useShortcut } from "../shell/useShortcut";
import { t } from "../words/words";
import type { ChangeRequest } from "./draft";
import { touched, write } from "./queries";
import styles from "./ReviewForm.module.css";

const verdicts = ["comment", "approved", "changes-requested"] as const;
type Verdict = (typeof verdicts)[number];

type Props = { space: string; request: ChangeRequest; review: boolean };

// ReviewForm is a button for a review, with the dialog.
export function ReviewForm(props: Props) {
  const [open, setOpen] = useState(false);
  useShortcut("review", () => setOpen(true));
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t(props.review ? "review.open" : "review.comment")}</Button>
      <ReviewDialog {...props} open={open} onOpenChange={setOpen} />
    </>
  );
}

type DialogProps = Props & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSent?: (() => void) | undefined;
  finalFocus?: RefObject<HTMLElement | null> | undefined;
};

export function ReviewDialog({ space, request, review, open, onOpenChange, onSent, finalFocus }: DialogProps) {
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [verdict, setVerdict] = useState<Verdict>(review ? "approved" : "comment");
  const send = useMutation({
    mutationFn: async () => {
      if (verdict === "comment") await write.comment(space, request.number, text.trim());
      else await write.review(space, request.number, verdict, text.trim());
    },
    onSuccess: () => {
      onOpenChange(false);
      setText("");
      onSent?.();
    },
    onSettled: () => Promise.all(touched(space).map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const empty = text.trim() === "";
  // Approving needs no words; the rest says nothing without them.
  const blocked = empty && verdict !== "approved";
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      finalFocus={finalFocus}
      title={t(review ? "review.title" : "review.comment")}
      actions={
        <Button
          kind="primary"
          busy={send.isPending}
          disabled={blocked}
          onClick={() => send.mutate()}
          aria-describedby={blocked ? "review-why" : undefined}
        >
          {t("review.send")}
        </Button>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !blocked && !send.isPending) send.mutate();
        }}
      >
        <Field
          label={t("review.text")}
          hint={t("review.hint")}
          control={<textarea rows={5} value={text} onChange={(event) => setText(event.currentTarget.value)} />}
        />
        {review && (
          <fieldset className={styles.verdicts}>
            <legend className="visually-hidden">{t("review.verdict")}</legend>
            {verdicts.map((each) => (
              <label key={each} className={styles.verdict}>
                <input type="radio" name="verdict" checked={each === verdict} onChange={() => setVerdict(each)} />
                <span>
                  <strong>{t(`review.${each}`)}</strong>
                  <span className={styles.about}>{t(`review.about.${each}`)}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {blocked && (
          <p id="review-why" className={styles.about}>
            {t("review.why")}
          </p>
        )}
        {send.isError && <Failed failure={send.error} />}
      </form>
    </Dialog>
  );
}
