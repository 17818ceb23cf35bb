// A place of a text in conflict: the three versions, a choice, and what comes of it, which can be written anew.
import { useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { bare, type JsonNode } from "../../editor/document";
import { Button } from "../../look/Button";
import { Skeleton } from "../../look/Skeleton";
import { servicesOf } from "../../page/services";
import { t } from "../../words/words";
import { Doc, type DocumentNode } from "../../document/DocNode";
import { Choose } from "./Choose";
import styles from "./ConflictBody.module.css";
import type { PartChoice } from "./choices";
import type { Part } from "./queries";
import { type Side, Sides } from "./Sides";

const Editor = lazy(() => import("../../editor/Editor").then(({ Editor }) => ({ default: Editor })));

type Text = { markdown: string; nodes: unknown[] | null } | undefined;
type Props = {
  space: string;
  number: number;
  entry: string;
  part: Part;
  name: string;
  choice: PartChoice | null;
  onChoose: ((choice: PartChoice) => void) | undefined;
};

export function ConflictPlace({ space, number, entry, part, name, choice, onChoose }: Props) {
  const [editing, setEditing] = useState(false);
  const texts = { base: part.base, main: part.main, mine: part.changeRequest };
  const written = choice !== null && "nodes" in choice;
  const kept = choice && "keep" in choice ? choice.keep : undefined;
  const result = written
    ? choice.nodes
    : nodesOf({ main: part.main, mine: part.changeRequest, both: part.both }[kept ?? "mine"]);
  const readable = [part.main, part.changeRequest].every(
    (text) => !text?.markdown.trim() || (text.nodes ?? []).length > 0,
  );
  return (
    <section
      className={styles.place}
      data-place={choice ? "settled" : "open"}
      data-stop
      tabIndex={-1}
      aria-label={name}
    >
      <p className={styles.name}>{name}</p>
      <Sides chosen={(side) => side === kept || (kept === "both" && side !== "base")}>
        {
          Object.fromEntries(
            Object.entries(texts).map(([side, text]) => [side, <Version key={side} text={text} />]),
          ) as Record<Side, React.ReactNode>
        }
      </Sides>
      {onChoose && (
        <Choose
          options={["main", "mine", "both"] as const}
          chosen={kept}
          onChoose={(option) => {
            setEditing(false);
            onChoose({ keep: option });
          }}
        >
          {readable && !editing && (
            <Button kind="quiet" icon={<Pencil />} onClick={() => setEditing(true)}>
              {t("conflict.edit")}
            </Button>
          )}
        </Choose>
      )}
      {editing && onChoose ? (
        <div className={styles.result}>
          <p className={styles.name}>{t("conflict.result")}</p>
          <Writing
            space={space}
            number={number}
            entry={entry}
            nodes={result}
            onWrite={(nodes) => onChoose({ nodes })}
          />
          <Button onClick={() => setEditing(false)}>{t("conflict.done")}</Button>
        </div>
      ) : (
        choice && (
          <div className={styles.result}>
            <p className={styles.name}>{t(written ? "conflict.written" : "conflict.result")}</p>
            <Version text={{ markdown: "", nodes: result }} />
          </div>
        )
      )}
    </section>
  );
}

const nodesOf = (text: Text): JsonNode[] => ((text?.nodes ?? []) as JsonNode[]).map(bare);

function Version({ text }: { text: Text }) {
  const nodes = (text?.nodes ?? []) as DocumentNode[];
  if (nodes.length > 0) return <Doc nodes={nodes} />;
  if (text?.markdown.trim()) return <pre className={styles.source}>{text.markdown}</pre>;
  return <p className={styles.nothing}>{t("conflict.nothing")}</p>;
}

type WritingProps = {
  space: string;
  number: number;
  entry: string;
  nodes: JsonNode[];
  onWrite: (nodes: JsonNode[]) => void;
};

// Writing is the editor on the result. What is typed is taken a moment later, and at the latest when it goes away.
function Writing({ space, number, entry, nodes, onWrite }: WritingProps) {
  const queries = useQueryClient();
  const [services] = useState(() => servicesOf(queries, { space, change: number, page: entry }));
  const [document] = useState({ object: "document" as const, data: {}, nodes });
  const waiting = useRef<{ timer: number; write: () => { nodes: JsonNode[] } } | null>(null);
  const take = useRef(onWrite);
  take.current = onWrite;
  const flush = () => {
    const { current } = waiting;
    if (!current) return;
    clearTimeout(current.timer);
    waiting.current = null;
    take.current(current.write().nodes.map(bare));
  };
  useEffect(() => flush, []);
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <div className={styles.editor}>
        <Editor
          document={document}
          label={t("conflict.result")}
          services={services}
          onChange={(write) => {
            if (waiting.current) clearTimeout(waiting.current.timer);
            waiting.current = { write, timer: window.setTimeout(flush, 300) };
          }}
        />
      </div>
    </Suspense>
  );
}
