// Conflicts while they are settled, with the choices that were made and are not applied yet.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Check, ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Banner } from "../../look/Banner";
import { Button, IconButton } from "../../look/Button";
import { Failed } from "../../look/Failed";
import { Skeleton } from "../../look/Skeleton";
import { Title } from "../../shell/Title";
import { t } from "../../words/words";
import { touched, type Conflict } from "../queries";
import { onKey, step as walk } from "../stops";
import { ConflictBody } from "./ConflictBody";
import { ConflictFields } from "./ConflictFields";
import { ConflictWhole } from "./ConflictWhole";
import styles from "./Conflicts.module.css";
import { type Choice, type Choices, keep, kept, settled, steps } from "./choices";
import { onChoice } from "./keys";
import { conflict as conflictQuery, settle } from "./queries";

type Props = { space: string; number: number; user: string; conflicts: Conflict[]; editable: boolean };

export function Settling({ space, number, user, conflicts, editable }: Props) {
  const search: { conflict?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [choices, setChoices] = useState<Choices>(() => kept(user, space, number));
  const [lost, setLost] = useState(false);
  // What is chosen by now, for sending that goes on while somebody chooses.
  const now = useRef(choices);
  const list = steps(conflicts);
  const at = Math.max(0, list.findIndex((each) => each.id === search.conflict));
  const current = list[at];
  const done = conflicts.filter((each) => settled(choices[each.id]));
  const left = conflicts.length - done.length;
  const shown = useRef<HTMLDivElement>(null);

  const put = (next: Choices) => {
    now.current = next;
    setChoices(next);
    setLost(!keep(user, space, number, next));
  };
  const choose = (id: string, choice: Choice) => put({ ...now.current, [id]: choice });
  const go = (index: number) => {
    const next = list[index];
    if (next)
      void navigate({
        to: "/spaces/$space/changes/$number/conflicts",
        params: { space, number: String(number) },
        search: { conflict: next.id } as never,
      });
  };
  const goBy = useRef(go);
  goBy.current = (by) => go(at + by);
  useEffect(() => {
    const ends = [onKey(() => shown.current, (by) => goBy.current(by)), onChoice(() => shown.current)];
    return () => ends.forEach((end) => end());
  }, []);

  const apply = useMutation({
    // Away from the network it says so at once, and what was chosen stays.
    networkMode: "always",
    mutationFn: async () => {
      for (const each of done) {
        const choice = now.current[each.id];
        if (!choice) continue;
        await settle(space, number, each.id, choice);
        const { [each.id]: _, ...rest } = now.current;
        put(rest);
      }
    },
    onSettled: () => void Promise.all(touched(space).map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  if (!current) return null;
  return (
    <div className={styles.screen}>
      <Title text={t("conflict.title")} />
      <nav className={styles.list} aria-label={t("conflict.list")}>
        <ul>
          {list.map((each, index) => {
            const whole = each.conflicts.every((one) => settled(choices[one.id]));
            return (
              <li key={each.id}>
                <button
                  type="button"
                  className={styles.item}
                  aria-current={index === at ? "true" : undefined}
                  onClick={() => go(index)}
                >
                  <span className={styles.mark} data-settled={whole}>
                    {whole && <Check aria-label={t("conflict.chosen")} />}
                  </span>
                  <span className={styles.name}>{nameOf(each.conflicts)}</span>
                  <span className={styles.kind}>{t(`conflict.kind.${each.conflicts[0]?.kind ?? "field"}`)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      </nav>
      <section className={styles.one} aria-labelledby="conflict-name">
        <header className={styles.head}>
          <div className={styles.about}>
            <h1 id="conflict-name" className={styles.title}>
              {nameOf(current.conflicts)}
            </h1>
            <p className={styles.count}>
              {t("conflict.count", { at: at + 1, of: list.length })} ·{" "}
              <span role="status">{left === 0 ? t("conflict.leftNone") : t("conflict.left", { left })}</span>
              {" · "}
              <Link
                to="/spaces/$space/changes/$number"
                params={{ space, number: String(number) }}
                className={styles.back}
              >
                #{number}
              </Link>
            </p>
          </div>
          <IconButton
            label={t("conflict.previous")}
            keys="K"
            onClick={() => (walk(shown.current, -1) ? undefined : go(at - 1))}
          >
            <ChevronUp />
          </IconButton>
          <IconButton
            label={t("conflict.next")}
            keys="J"
            onClick={() => (walk(shown.current, 1) ? undefined : go(at + 1))}
          >
            <ChevronDown />
          </IconButton>
          {editable && (
            <Button kind="primary" disabled={done.length === 0} busy={apply.isPending} onClick={() => apply.mutate()}>
              {left === 0 ? t("conflict.applyAll") : t("conflict.apply", { count: done.length })}
            </Button>
          )}
        </header>
        {!editable && <Banner>{t("conflict.readOnly")}</Banner>}
        {apply.isError && <Failed failure={apply.error} onRetry={() => apply.mutate()} />}
        {lost && <Banner kind="warning">{t("conflict.notKept")}</Banner>}
        <div ref={shown} key={current.id}>
          <Detail
            space={space}
            number={number}
            conflicts={current.conflicts}
            choices={choices}
            choose={editable ? choose : undefined}
          />
        </div>
      </section>
    </div>
  );
}

// nameOf is what conflicts are about, in words.
function nameOf(conflicts: Conflict[]): string {
  const subjects = conflicts[0]?.subjects ?? [];
  return (
    subjects
      .map((each) => each.title || t(each.kind === "variables" ? "change.variables" : "tree.untitled"))
      .join(", ") || t("conflict.something")
  );
}

export type DetailProps = {
  space: string;
  number: number;
  conflicts: Conflict[];
  choices: Choices;
  choose: ((id: string, choice: Choice) => void) | undefined;
};

// Detail is what is settled at once. What a conflict needs to be seen is asked for with the first.
function Detail(props: DetailProps) {
  const { space, number, conflicts } = props;
  const [first] = conflicts;
  const asked = useQuery({ ...conflictQuery(space, number, first?.id ?? ""), enabled: first !== undefined });
  if (asked.isError && !asked.data) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton lines={6} />;
  if (asked.data.kind === "field") return <ConflictFields {...props} full={asked.data} />;
  if (asked.data.kind === "body") return <ConflictBody {...props} full={asked.data} />;
  return <ConflictWhole {...props} full={asked.data} />;
}
