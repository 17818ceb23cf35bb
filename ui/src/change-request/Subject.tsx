// The subject of a change request, edited in place: Enter or leaving it saves, Escape takes it back.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { changeRequests } from "../api/queries";
import { IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import type { ChangeRequest } from "./draft";
import { write } from "./queries";
import styles from "./Subject.module.css";

type Props = { space: string; request: ChangeRequest; editable: boolean };

export function Subject({ space, request, editable }: Props) {
  const queries = useQueryClient();
  const [text, setText] = useState<string>();
  const save = useMutation({
    mutationFn: (subject: string) => write.change(space, request.number, { subject }),
    onSuccess: (saved) => {
      queries.setQueryData(changeRequests.one(space, request.number), saved);
      void queries.invalidateQueries({ queryKey: changeRequests.merge(space, request.number) });
      setText(undefined);
    },
  });
  const leave = () => {
    if (text === undefined || save.isPending) return;
    if (text.trim() === request.subject) setText(undefined);
    else save.mutate(text.trim());
  };
  if (text === undefined) {
    return (
      <div className={styles.line}>
        <h1 className={styles.subject}>
          {request.subject || t("space.untitledChange")} <span className={styles.number}>#{request.number}</span>
        </h1>
        {editable && (
          <IconButton label={t("change.rename")} onClick={() => setText(request.subject)}>
            <Pencil />
          </IconButton>
        )}
      </div>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <Field
        label={t("change.subject")}
        autoFocus
        maxLength={250}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={(event) => event.key === "Escape" && setText(undefined)}
      />
      {save.isError && <Failed failure={save.error} onRetry={leave} />}
    </form>
  );
}
