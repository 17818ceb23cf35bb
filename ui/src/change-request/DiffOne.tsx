// The diff of one thing that was changed, with how it shows, whether it was viewed, and the way on.
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../look/Button";
import { DocPlace } from "../document/place";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { useMedia, wide as wideQuery } from "../look/useMedia";
import { t } from "../words/words";
import { type Entity, hasText } from "./changes";
import styles from "./Diff.module.css";
import { DiffComments } from "./DiffComments";
import { DiffPage, type Mode } from "./DiffPage";
import { OtherDiff } from "./OtherDiff";
import type { changesIn } from "./queries";
import { onKey, step } from "./stops";

type Props = {
  space: string;
  entity: Entity;
  // The revisions that it is between.
  ends: { from: string | undefined; to: string | undefined };
  // The question for its diff, of a text.
  diff: ReturnType<typeof changesIn>;
  mode: string | undefined;
  onMode: (mode: Mode) => void;
  // Goes to what comes next or before.
  onGo: (by: 1 | -1) => void;
  // Called when the diff is there, for what may be asked ahead.
  onReady: () => void;
  // The change request whose discussion stands beside it, undefined between two revisions.
  change: number | undefined;
  // Undefined where nothing is marked as viewed.
  viewed: boolean | undefined;
  onViewed: (diff: unknown) => void;
};

export function DiffOne(props: Props) {
  const { space, entity, ends, viewed, onMode } = props;
  const wide = useMedia(wideQuery);
  const mode: Mode = props.mode === "markdown" ? "markdown" : props.mode === "split" && wide ? "split" : "unified";
  const modes: Mode[] = wide ? ["unified", "split", "markdown"] : ["unified", "markdown"];
  const text = hasText(entity);
  const diff = useQuery({ ...props.diff, enabled: text });
  const shown = useRef<HTMLDivElement>(null);
  const ask = useRef<(() => void) | null>(null);
  const now = useRef({ ...props, toggle: () => {} });
  const ready = !text || diff.data !== undefined;
  const toggle = () => ready && props.onViewed(diff.data);
  now.current = { ...props, toggle };
  useEffect(
    () =>
      onKey(
        () => shown.current,
        (by) => now.current.onGo(by),
        { v: () => now.current.viewed !== undefined && now.current.toggle(), c: () => ask.current?.() },
      ),
    [],
  );
  useEffect(() => {
    if (ready) now.current.onReady();
  }, [ready]);
  const go = (by: 1 | -1) => step(shown.current, by) || props.onGo(by);
  return (
    <>
      <header className={styles.head}>
        <h1 id="diff-title" className={styles.title}>
          {entity.title || t("tree.untitled")}
        </h1>
        <span className={styles.back}>{entity.path}</span>
        {viewed !== undefined && (
          <label className={styles.viewed}>
            <input type="checkbox" checked={viewed} disabled={!ready} onChange={toggle} aria-keyshortcuts="V" />
            {t("diff.viewed")}
          </label>
        )}
        {text && (
          <span className={styles.modes} role="group" aria-label={t("diff.mode")}>
            {modes.map((each) => (
              <button
                key={each}
                type="button"
                className={styles.mode}
                aria-pressed={each === mode}
                onClick={() => onMode(each)}
              >
                {t(`diff.mode.${each}`)}
              </button>
            ))}
          </span>
        )}
        <IconButton label={t("diff.previous")} keys="K" onClick={() => go(-1)}>
          <ChevronUp />
        </IconButton>
        <IconButton label={t("diff.next")} keys="J" onClick={() => go(1)}>
          <ChevronDown />
        </IconButton>
      </header>
      {props.change !== undefined && entity.page && (
        <DiffComments
          space={space}
          change={props.change}
          page={entity.id}
          root={shown}
          drawn={`${mode} ${diff.dataUpdatedAt}`}
          ask={ask}
        />
      )}
      <div ref={shown}>
        {text && diff.isPending && <Skeleton lines={8} />}
        {text && diff.isError && <Failed failure={diff.error} onRetry={() => void diff.refetch()} />}
        {text && diff.data && (
          <DocPlace value={{ space, revisions: [ends.to, ends.from] }}>
            <DiffPage
              diff={{ changes: entity.changes, ...diff.data }}
              mode={mode}
              page={entity.page}
              reordered={entity.kind === "reordered"}
            />
          </DocPlace>
        )}
        {!text && <OtherDiff space={space} entity={entity} ends={ends} />}
      </div>
    </>
  );
}
