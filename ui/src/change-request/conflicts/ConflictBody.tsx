// A text that both sides changed: what could be merged, and each place in conflict to be chosen or written anew.
import { useState } from "react";
import { Doc, type DocumentNode } from "../../document/DocNode";
import { DocPlace } from "../../document/place";
import type { Conflict } from "../queries";
import { t } from "../../words/words";
import styles from "./ConflictBody.module.css";
import { ConflictPlace } from "./ConflictPlace";
import { withPart } from "./choices";
import type { DetailProps } from "./Settling";

export function ConflictBody({ space, number, full, choices, choose }: DetailProps & { full: Conflict }) {
  const parts = full.parts ?? [];
  const places = parts.filter((part) => !part.merged).length;
  const choice = choices[full.id];
  // A choice of before that the text was cut in another way does not count.
  const chosen = choice && "parts" in choice && choice.parts.length === places ? choice.parts : [];
  let place = 0;
  const { main, changeRequest, base } = full.revisions ?? {};
  return (
    <DocPlace value={{ space, revisions: [main, changeRequest, base] }}>
      <div className={styles.body}>
        {parts.map((part, index) => {
          if (part.merged)
            return (
              <Quiet
                key={index}
                nodes={(part.merged.nodes ?? []) as DocumentNode[]}
                first={index === 0}
                last={index === parts.length - 1}
              />
            );
          const at = place++;
          return (
            <ConflictPlace
              key={index}
              space={space}
              number={number}
              entry={full.entries?.[0] ?? ""}
              part={part}
              name={t("conflict.place", { at: at + 1, of: places })}
              choice={chosen[at] ?? null}
              onChoose={choose && ((next) => choose(full.id, withPart(choice, places, at, next)))}
            />
          );
        })}
      </div>
    </DocPlace>
  );
}

// Quiet is what could be merged. Of a longer stretch only the blocks beside a conflict show at first.
function Quiet({ nodes, first, last }: { nodes: DocumentNode[]; first: boolean; last: boolean }) {
  const [open, setOpen] = useState(false);
  const head = first ? 0 : 1;
  const tail = last ? 0 : 1;
  const folds = !open && nodes.length - head - tail >= 2;
  if (!folds) return <div className={styles.quiet}><Doc nodes={nodes} /></div>;
  return (
    <div className={styles.quiet}>
      <Doc nodes={nodes.slice(0, head)} />
      <button type="button" className={styles.fold} onClick={() => setOpen(true)}>
        {t("conflict.merged", { count: nodes.length - head - tail })}
      </button>
      <Doc nodes={nodes.slice(nodes.length - tail)} />
    </div>
  );
}
