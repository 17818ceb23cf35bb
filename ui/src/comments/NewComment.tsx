// A comment that is being written: on the page, a block, or words, and then maybe with other words for them.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../look/Button";
import { t } from "../words/words";
import type { Target } from "./Commenting";
import { Composer } from "./Composer";
import { keep, useKept } from "./draft";
import { discussion, type NewComment as Input, type Scope } from "./queries";
import styles from "./Thread.module.css";
import fields from "./Composer.module.css";
import { Words } from "./Words";

type Props = {
  scope: Scope;
  page: string;
  target: Target;
  ready: () => Promise<void>;
  onPosted: (id: string) => void;
  onCancel: () => void;
};

export function NewComment({ scope, page, target, ready, onPosted, onCancel }: Props) {
  const queries = useQueryClient();
  const key = `new.${scope.space}.${scope.change ?? "main"}.${page}`;
  const [other, setOther] = useKept<string>(`${key}.words`);
  const [suggesting, setSuggesting] = useState(target.suggest === true || other !== null);
  const words = target.quote?.quote ?? "";
  const text = other ?? words;
  const may = scope.change !== undefined && words !== "";
  const send = async (markdown: string) => {
    await ready();
    const input: Input = { page, markdown };
    if (target.node) input.node = target.node;
    if (target.quote) input.range = target.quote;
    if (suggesting && text !== words) input.suggestion = { text };
    const posted = await discussion(queries, scope).post(input);
    keep(`${key}.words`, null);
    onPosted(posted.id);
  };
  return (
    <section className={styles.thread} data-open="true" aria-label={t("comment.new")}>
      {(words || target.shown) && (
        <div className={styles.about}>
          <q>{words || target.shown}</q>
        </div>
      )}
      {target.node && !words && !target.shown && <div className={styles.about}>{t("comment.wordless")}</div>}
      {suggesting ? (
        <>
          <textarea
            className={fields.field}
            aria-label={t("comment.suggestion.words")}
            rows={2}
            value={text}
            maxLength={2000}
            autoFocus
            onChange={(event) => setOther(event.target.value.replaceAll("\n", " "))}
          />
          {text !== words && <Words before={words} after={text} />}
        </>
      ) : (
        may && (
          <Button kind="quiet" onClick={() => setSuggesting(true)}>
            {t("comment.suggest")}
          </Button>
        )
      )}
      <Composer
        space={scope.space}
        keep={key}
        label={t("comment.write")}
        send={t(suggesting ? "comment.suggest.send" : "comment.send")}
        empty={suggesting && text !== words}
        autoFocus={!suggesting}
        onSend={send}
        onCancel={() => {
          setOther(null);
          onCancel();
        }}
      />
    </section>
  );
}
