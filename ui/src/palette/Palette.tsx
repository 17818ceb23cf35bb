// One field for everything: pages of all spaces, spaces, change requests, sites, people and commands. What is known
// here comes at once, what the server finds below it, so that no row jumps away from under a finger.
import { Dialog as Base } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useDeferredValue, useId, useRef, useState, type KeyboardEvent } from "react";
import { Failed } from "../look/Failed";
import { SearchNotes } from "../look/SearchNotes";
import { t } from "../words/words";
import { type Entry, matching, recents, remember } from "./entries";
import styles from "./Palette.module.css";
import { pagesWith } from "./queries";
import { Row } from "./Row";
import { useEntries } from "./useEntries";

type Props = { organization: string; open: boolean; onOpenChange: (open: boolean) => void };

export function Palette({ organization, open, onOpenChange }: Props) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup} initialFocus={field}>
          <Base.Title className="visually-hidden">{t("palette.title")}</Base.Title>
          <Finder organization={organization} field={field} onLeave={() => onOpenChange(false)} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Finder({
  organization,
  field,
  onLeave,
}: {
  organization: string;
  field: React.RefObject<HTMLInputElement | null>;
  onLeave: () => void;
}) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, type] = useState("");
  const [index, setIndex] = useState(0);
  const known = useEntries(organization);
  const query = typed.trim();
  const words = useDeferredValue(query);
  const asked = useQuery(pagesWith(organization, words));
  const local = query === "" ? begin(organization, known) : matching(known, query);
  // What answers other words, or none, is not for these.
  const found = asked.data && query.length !== 1 && asked.data.popular === (query === "") ? asked.data : undefined;
  const entries = [...local, ...(found?.entries.filter(({ id }) => !local.some((each) => each.id === id)) ?? [])];
  const at = Math.min(index, entries.length - 1);

  const go = (entry: Entry) => {
    remember(organization, entry);
    onLeave();
    if (entry.run) entry.run();
    else if (entry.href) window.location.assign(entry.href);
    else if (entry.to)
      void navigate({
        to: entry.to.split("#")[0]!,
        ...(entry.to.includes("#") ? { hash: entry.to.split("#")[1]! } : {}),
      });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (entries.length === 0) return;
      const next = (at + (event.key === "ArrowDown" ? 1 : -1) + entries.length) % entries.length;
      setIndex(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && entries[at]) {
      event.preventDefault();
      go(entries[at]);
    }
  };
  return (
    <>
      <div className={styles.head}>
        <Search aria-hidden />
        <input
          ref={field}
          role="combobox"
          aria-label={t("palette.field")}
          placeholder={t("palette.field")}
          aria-expanded={entries.length > 0}
          aria-controls={id}
          aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          maxLength={200}
          value={typed}
          onChange={(event) => {
            type(event.target.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {entries.length === 0 && query !== "" && (
        <p role="status" className={styles.nothing}>
          {t(asked.isFetching || words !== query ? "palette.looking" : "palette.nothing")}
        </p>
      )}
      <SearchNotes
        notes={found}
        onMeant={(words) => {
          type(words);
          setIndex(0);
          field.current?.focus();
        }}
      />
      <ul id={id} role="listbox" aria-label={t("palette.title")} className={styles.list}>
        {entries.map((entry, i) => (
          <Row
            key={entry.id}
            id={`${id}-${i}`}
            entry={entry}
            chosen={i === at}
            onChoose={() => go(entry)}
            onPoint={() => setIndex(i)}
          />
        ))}
      </ul>
    </>
  );
}

// begin is what stands there before anything is typed: what was chosen last, then commands.
function begin(organization: string, known: Entry[]): Entry[] {
  const last = recents(organization);
  const commands = known.filter(({ kind, id }) => kind === "command" && !last.some((each) => each.id === id));
  return [...last, ...commands];
}
