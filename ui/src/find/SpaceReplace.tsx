// Finds words in all pages of a space and puts others in their place: first what would become of each page, then, for
// those that are chosen, in a draft.
import { Link } from "@tanstack/react-router";
import { type FormEvent, useId, useRef, useState } from "react";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import { Found } from "./Found";
import { longestPattern, type Query } from "./search";
import styles from "./SpaceReplace.module.css";
import { useSpaceReplacing } from "./useSpaceReplacing";

type Props = { space: string; change: number | undefined; words: string; onClose: () => void };

const options = ["matchCase", "words", "regex"] as const;

export function SpaceReplace({ space, change, words, onClose }: Props) {
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const { stage, find, replace, stop, ask } = useSpaceReplacing(space, change);
  const [query, setQuery] = useState<Query>({ text: words, matchCase: false, words: false, regex: false });
  const [replacement, setReplacement] = useState("");
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const under = stage.at === "finding" || stage.at === "writing";
  const become = (next: Partial<Query>) => {
    setQuery({ ...query, ...next });
    if (stage.at !== "asking") ask();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWithout(new Set());
    void find(query, replacement);
  };
  const toggle = (page: string) =>
    setWithout((now) => (now.has(page) ? new Set([...now].filter((each) => each !== page)) : new Set([...now, page])));
  const chosen = stage.at === "found" ? stage.search.hits.filter(({ page }) => !without.has(page)).length : 0;
  const wrong =
    stage.at === "asking" && stage.wrong ? t(stage.wrong === "slow" ? "find.slow" : "find.invalid") : undefined;
  const failure = stage.at === "asking" || stage.at === "found" ? stage.failure : undefined;

  const actions =
    stage.at === "done" ? (
      <>
        <Link
          to="/spaces/$space/changes/$number/diff"
          params={{ space, number: String(stage.number) }}
          className={buttonClass()}
          onClick={onClose}
        >
          {t("replace.see")}
        </Link>
        <Button kind="primary" onClick={onClose}>
          {t("look.close")}
        </Button>
      </>
    ) : under ? (
      <Button onClick={stop}>{t("replace.stop")}</Button>
    ) : (
      <>
        <Button onClick={onClose}>{t("look.cancel")}</Button>
        {stage.at === "found" && stage.search.hits.length > 0 ? (
          <Button kind="primary" disabled={chosen === 0} onClick={() => void replace(stage.search, without)}>
            {t("replace.go", { count: chosen })}
          </Button>
        ) : (
          <Button kind="primary" type="submit" form={form} disabled={query.text === ""}>
            {t("replace.find")}
          </Button>
        )}
      </>
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("replace.title")}
      description={t("replace.what")}
      initialFocus={field}
      actions={actions}
    >
      <div className={styles.replace}>
        {stage.at !== "done" && (
          <form id={form} className={styles.form} onSubmit={submit}>
            <Field
              ref={field}
              label={t("find.field")}
              value={query.text}
              maxLength={longestPattern}
              error={wrong}
              disabled={under}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => become({ text: event.currentTarget.value })}
            />
            <Field
              label={t("find.replacement")}
              value={replacement}
              maxLength={longestPattern}
              disabled={under}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setReplacement(event.currentTarget.value);
                if (stage.at !== "asking") ask();
              }}
            />
            <div className={styles.options}>
              {options.map((name) => (
                <label key={name} className={styles.option}>
                  <input
                    type="checkbox"
                    checked={query[name]}
                    disabled={under}
                    onChange={() => become({ [name]: !query[name] })}
                  />
                  {t(`find.${name}`)}
                </label>
              ))}
            </div>
          </form>
        )}
        {under && (
          <div className={styles.progress}>
            <progress
              aria-label={t(stage.at === "finding" ? "replace.finding" : "replace.writing")}
              max={Math.max(stage.all, 1)}
              value={stage.done}
            />
            <p role="status">
              {t(stage.at === "finding" ? "replace.looked" : "replace.written", { done: stage.done, all: stage.all })}
            </p>
          </div>
        )}
        {failure !== undefined && <Failed failure={failure} />}
        {stage.at === "found" && (
          <p role="status" className={styles.count}>
            {stage.search.hits.length === 0
              ? t("replace.none")
              : t("replace.count", { count: stage.search.matches, pages: stage.search.hits.length })}
          </p>
        )}
        {stage.at === "found" && stage.search.hits.length > 0 && (
          <Found hits={stage.search.hits} without={without} onToggle={toggle} />
        )}
        {stage.at === "done" && (
          <Banner kind={stage.stopped ? "info" : "success"}>
            {t(stage.stopped ? "replace.stopped" : "replace.done", {
              count: stage.matches,
              pages: stage.pages,
              number: stage.number,
            })}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
