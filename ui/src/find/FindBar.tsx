// Finds and replaces in the text that is written. Enter goes on, Shift+Enter back, Escape returns to the text.
import { ArrowDown, ArrowUp, CaseSensitive, Regex, Replace, WholeWord, X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode } from "react";
import { Button, IconButton } from "../look/Button";
import { t, type Key } from "../words/words";
import styles from "./FindBar.module.css";
import { Finder, type Found, type Target } from "./finder";
import "./found.css";
import { longestPattern, mostMatches, type Query } from "./search";

type Props = { target: Target; editable: boolean; onClose: () => void };

const options: { name: "matchCase" | "words" | "regex"; label: Key; icon: ReactNode }[] = [
  { name: "matchCase", label: "find.matchCase", icon: <CaseSensitive /> },
  { name: "words", label: "find.words", icon: <WholeWord /> },
  { name: "regex", label: "find.regex", icon: <Regex /> },
];

export function FindBar({ target, editable, onClose }: Props) {
  const [query, setQuery] = useState<Query>(() => ({
    text: target.selected(),
    matchCase: false,
    words: false,
    regex: false,
  }));
  const [replacement, setReplacement] = useState("");
  const [replacing, setReplacing] = useState(false);
  const [finder, setFinder] = useState<Finder | null>(null);
  const first = useRef({ query, replacement });
  const close = (focus: boolean) => {
    finder?.close(focus);
    onClose();
  };

  // What looks for something listens to the text: it begins and ends with the bar.
  useEffect(() => {
    const made = new Finder(target);
    setFinder(made);
    made.ask(first.current.query, first.current.replacement);
    return () => made.close(false);
  }, [target]);

  const ask = (next: Query, put: string) => {
    setQuery(next);
    setReplacement(put);
    first.current = { query: next, replacement: put };
    finder?.ask(next, put);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      close(true);
    } else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      if (event.target.name === "replacement") finder?.replace();
      else finder?.go(event.shiftKey ? -1 : 1);
    }
  };
  const field = { className: styles.field, maxLength: longestPattern, spellCheck: false, autoComplete: "off" };
  return (
    <div role="search" aria-label={t("find.title")} className={styles.bar} onKeyDown={onKeyDown}>
      <div className={styles.line}>
        <input
          {...field}
          autoFocus
          type="text"
          name="find"
          aria-label={t("find.field")}
          placeholder={t("find.field")}
          value={query.text}
          onFocus={(event) => event.target.select()}
          onChange={(event) => ask({ ...query, text: event.target.value }, replacement)}
        />
        {finder ? <Count finder={finder} query={query} /> : <span className={styles.count} />}
        <IconButton label={t("find.previous")} keys="Shift+Enter" onClick={() => finder?.go(-1)}>
          <ArrowUp />
        </IconButton>
        <IconButton label={t("find.next")} keys="Enter" onClick={() => finder?.go(1)}>
          <ArrowDown />
        </IconButton>
        <IconButton label={t("look.close")} keys="Esc" onClick={() => close(true)}>
          <X />
        </IconButton>
      </div>
      <div className={styles.line}>
        {options.map(({ name, label, icon }) => (
          <IconButton
            key={name}
            label={t(label)}
            aria-pressed={query[name]}
            onClick={() => ask({ ...query, [name]: !query[name] }, replacement)}
          >
            {icon}
          </IconButton>
        ))}
        {editable && (
          <IconButton label={t("find.replacing")} aria-pressed={replacing} onClick={() => setReplacing(!replacing)}>
            <Replace />
          </IconButton>
        )}
      </div>
      {editable && replacing && (
        <div className={styles.line}>
          <input
            {...field}
            type="text"
            name="replacement"
            aria-label={t("find.replacement")}
            placeholder={t("find.replacement")}
            value={replacement}
            onChange={(event) => ask(query, event.target.value)}
          />
          <Button onClick={() => finder?.replace()}>{t("find.replace")}</Button>
          <Button onClick={() => finder?.replaceAll()}>{t("find.replaceAll")}</Button>
        </div>
      )}
    </div>
  );
}

function Count({ finder, query }: { finder: Finder; query: Query }) {
  const found = useSyncExternalStore(finder.subscribe, finder.get);
  return (
    <span role="status" className={styles.count} data-wrong={found.wrong !== null || undefined}>
      {query.text && countOf(found)}
    </span>
  );
}

function countOf({ matches, current, wrong }: Found): string {
  if (wrong) return t(wrong === "slow" ? "find.slow" : "find.invalid");
  if (matches.length === 0) return t("find.none");
  const count = matches.length >= mostMatches ? `${mostMatches}+` : String(matches.length);
  return t("find.count", { current: current + 1, count });
}
