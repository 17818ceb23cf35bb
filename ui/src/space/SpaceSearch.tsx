// Finds words in all pages of the space: each page with what stands around them. Enter goes there.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useId, useRef, useState, type KeyboardEvent } from "react";
import { api, taken } from "../api/client";
import { spaces } from "../api/queries";
import { Replace } from "lucide-react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { SearchNotes, type Notes } from "../look/SearchNotes";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import { find } from "./tree";
import { pages as pagesQuery } from "./queries";
import styles from "./SpaceSearch.module.css";

// onReplace goes on to replacing the words; those who may not edit have none.
type Props = {
  space: string;
  change: number | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onReplace: ((words: string) => void) | undefined;
};

// The most pages that are shown, and the longest excerpt.
const most = 20;
const longest = 160;

// again is after how many milliseconds pages are asked for once more while some are still being indexed.
const again = 1500;

type Hit = { key: string; page: string; title: string; trail: string; hash: string; excerpt: string; inside: boolean };

function useHits(space: string, words: string) {
  return useQuery({
    queryKey: [...spaces.one(space), "search", words],
    queryFn: async (): Promise<Notes & { hits: Hit[] }> => {
      const { items, closest, incomplete, suggestion } = await taken(
        api.GET("/v1/spaces/{spaceId}/search", {
          params: { path: { spaceId: space }, query: { query: words, limit: most } },
        }),
      );
      const hits = (items ?? []).flatMap((page) => {
        const trail = (page.ancestors ?? []).map((each) => each.title).join(" / ");
        const first: Hit = {
          key: page.id,
          page: page.id,
          title: page.title,
          trail,
          hash: "",
          excerpt: page.description,
          inside: false,
        };
        const parts = (page.sections ?? []).map((part): Hit => ({
          key: `${page.id} ${part.id}`,
          page: page.id,
          title: part.title,
          trail: page.title,
          hash: part.path.split("#")[1] ?? "",
          excerpt: around(part.body, words),
          inside: true,
        }));
        return [first, ...parts];
      });
      return { hits, closest, incomplete, ...(suggestion ? { suggestion } : {}) };
    },
    refetchInterval: (query) => (query.state.data?.incomplete ? again : false),
  });
}

// around returns what stands around the first of the words that a text has.
export function around(text: string, words: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length <= longest) return plain;
  const folded = plain.toLowerCase();
  const places = words.toLowerCase().split(/\s+/).map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const at = Math.max(0, (places.length > 0 ? Math.min(...places) : 0) - longest / 3);
  const start = at === 0 ? 0 : plain.indexOf(" ", at) + 1;
  return `${start > 0 ? "…" : ""}${plain.slice(start, start + longest).trimEnd()}${start + longest < plain.length ? "…" : ""}`;
}

export function SpaceSearch({ space, change, open, onOpenChange, onReplace }: Props) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("search.title")} initialFocus={field}>
      <Search space={space} change={change} field={field} onLeave={() => onOpenChange(false)} onReplace={onReplace} />
    </Dialog>
  );
}

type SearchProps = Pick<Props, "space" | "change" | "onReplace"> & {
  field: React.RefObject<HTMLInputElement | null>;
  onLeave: () => void;
};

function Search({ space, change, field, onLeave, onReplace }: SearchProps) {
  const id = useId();
  const navigate = useNavigate();
  const tree = useQuery(pagesQuery(space, change)).data;
  const [words, setWords] = useState("");
  const [index, setIndex] = useState(0);
  const wanted = useDeferredValue(words.trim());
  const asked = useHits(space, wanted);
  const hits = asked.data?.hits ?? [];
  const at = Math.min(index, hits.length - 1);

  const go = (hit: Hit) => {
    onLeave();
    // The change request may have deleted what main has.
    if (change !== undefined && tree && find(tree, hit.page))
      void navigate({
        to: "/spaces/$space/changes/$number/pages/$page",
        params: { space, number: String(change), page: hit.page },
      });
    else void navigate({ to: "/spaces/$space/pages/$page", params: { space, page: hit.page }, hash: hit.hash });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const hit = hits[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = Math.max(0, Math.min(hits.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
      setIndex(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && hit) {
      event.preventDefault();
      go(hit);
    }
  };
  return (
    <div className={styles.search}>
      <input
        ref={field}
        role="combobox"
        className={styles.field}
        aria-label={t("search.field")}
        placeholder={t("search.field")}
        aria-expanded={hits.length > 0}
        aria-controls={id}
        aria-activedescendant={hits.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        maxLength={200}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      {onReplace && (
        <Button
          kind="quiet"
          icon={<Replace aria-hidden size={16} />}
          className={styles.replace}
          onClick={() => onReplace(words.trim())}
        >
          {t("replace.open")}
        </Button>
      )}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {wanted !== "" && asked.isPending && <Skeleton lines={4} />}
      {wanted !== "" && asked.data?.hits.length === 0 && (
        <p role="status" className={styles.nothing}>
          {t("search.none", { words: wanted })}
        </p>
      )}
      <SearchNotes
        notes={asked.data}
        onMeant={(meant) => {
          setWords(meant);
          setIndex(0);
          field.current?.focus();
        }}
      />
      {wanted === "" && hits.length > 0 && <p className={styles.nothing}>{t("look.found.popular")}</p>}
      <ul id={id} role="listbox" aria-label={t("search.title")} className={styles.list}>
        {hits.map((hit, i) => (
          // Keys belong to the field.
          <li
            key={hit.key}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            data-inside={hit.inside || undefined}
            className={styles.hit}
            onClick={() => go(hit)}
            onPointerMove={() => setIndex(i)}
          >
            <span className={styles.name}>
              {hit.title}
              {!hit.inside && hit.trail && <span className={styles.trail}>{hit.trail}</span>}
            </span>
            {hit.excerpt && <span className={styles.excerpt}>{hit.excerpt}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
