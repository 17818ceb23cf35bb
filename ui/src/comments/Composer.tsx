// Where a comment is written: Markdown, "@" for people. Mod+Enter sends it; what is typed stays until it is sent.
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Avatar } from "../look/Avatar";
import { Button } from "../look/Button";
import { failureText } from "../look/Failed";
import { space as spaceQuery } from "../space/queries";
import { fold } from "../space/tree";
import { t } from "../words/words";
import styles from "./Composer.module.css";
import { type Draft, useDraft, written } from "./draft";
import { type Member, members } from "./queries";

type Props = {
  space: string;
  // What is typed is kept under this key.
  keep: string;
  label: string;
  first?: Draft;
  send: string;
  // An empty text may be sent.
  empty?: boolean;
  autoFocus?: boolean;
  onSend: (markdown: string) => Promise<unknown>;
  onCancel?: () => void;
};

// The word behind an "@" that the cursor is at the end of.
const asked = /(?:^|\s)@([^\s@]{0,40}(?: [^\s@]{1,40})?)$/;

export function Composer({
  space,
  keep,
  label,
  first,
  send,
  empty = false,
  autoFocus = false,
  onSend,
  onCancel,
}: Props) {
  const [draft, setDraft] = useDraft(keep, first);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [word, setWord] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const organization = useQuery(spaceQuery(space)).data?.organization ?? "";
  const people = useQuery({ ...members(organization), enabled: organization !== "" && word !== null }).data ?? [];
  const found = word === null ? [] : people.filter(({ name }) => fold(name).includes(fold(word))).slice(0, 6);
  const chosen = Math.min(at, found.length - 1);

  const look = () => {
    const element = field.current;
    const typed = element && asked.exec(element.value.slice(0, element.selectionStart));
    setWord(typed ? typed[1]! : null);
    if ((typed?.[1] ?? null) !== word) setAt(0);
  };
  const choose = (person: Member) => {
    const element = field.current;
    if (!element || word === null) return;
    const end = element.selectionStart;
    const start = end - word.length;
    const text = `${draft.text.slice(0, start)}${person.name} ${draft.text.slice(end)}`;
    setDraft({ text, people: { ...draft.people, [person.name]: person.id } });
    setWord(null);
    // The cursor goes behind the name once it is there.
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(start + person.name.length + 1, start + person.name.length + 1);
    });
  };
  const submit = async () => {
    const markdown = written(draft);
    if (busy || (!empty && markdown === "")) return;
    setBusy(true);
    setFailure(null);
    try {
      await onSend(markdown);
      setDraft(null);
    } catch (reason) {
      setFailure(reason);
    }
    setBusy(false);
  };
  const cancel = () => {
    setDraft(null);
    onCancel?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return void submit();
    }
    if (found.length > 0) {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by) setAt((chosen + by + found.length) % found.length);
      else if (event.key === "Enter" || event.key === "Tab") choose(found[chosen]!);
      else if (event.key === "Escape") setWord(null);
      else return;
      event.preventDefault();
      return event.stopPropagation();
    }
    if (event.key === "Escape") {
      // It closes what one writes in, not the panel around it.
      event.preventDefault();
      event.stopPropagation();
      if (draft.text === "" && onCancel) cancel();
      else field.current?.blur();
    }
  };
  return (
    <div className={styles.composer}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label={label}
        placeholder={label}
        rows={2}
        value={draft.text}
        autoFocus={autoFocus}
        maxLength={60_000}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={found.length > 0 ? `${list}-${chosen}` : undefined}
        onChange={(event) => {
          setDraft({ ...draft, text: event.target.value });
          look();
        }}
        onSelect={look}
        onBlur={() => setWord(null)}
        onKeyDown={onKeyDown}
      />
      <ul
        id={list}
        role="listbox"
        aria-label={t("comment.people")}
        className={styles.people}
        hidden={found.length === 0}
      >
        {found.map((person, index) => (
          <li
            key={person.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={styles.person}
            // The text keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(person)}
          >
            <Avatar size="small" name={person.name} picture={person.photo} />
            {person.name}
          </li>
        ))}
      </ul>
      {failure !== null && (
        <p className={styles.failure} role="alert">
          {failureText(failure)}
        </p>
      )}
      <div className={styles.actions}>
        {onCancel && (
          <Button kind="quiet" onClick={cancel}>
            {t("comment.cancel")}
          </Button>
        )}
        <Button kind="primary" busy={busy} disabled={!empty && draft.text.trim() === ""} onClick={() => void submit()}>
          {send}
        </Button>
      </div>
    </div>
  );
}
