// What both sides changed of a page, a file or the variables themselves: a row for each field.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Field } from "../../look/Field";
import { pages } from "../../space/queries";
import { find, label } from "../../space/tree";
import { t } from "../../words/words";
import { named, spelt } from "../Attributes";
import type { Conflict } from "../queries";
import { Choose } from "./Choose";
import styles from "./ConflictBody.module.css";
import { type Choice, settled } from "./choices";
import type { DetailProps } from "./Settling";
import { Sides } from "./Sides";
import { WholeAt } from "./WholeAt";

export function ConflictFields({ space, number, conflicts, full, choices, choose }: DetailProps & { full: Conflict }) {
  return (
    <div className={styles.body}>
      {conflicts.map((conflict) => {
        const choice = choices[conflict.id];
        return (
          <section
            key={conflict.id}
            className={styles.place}
            data-place={settled(choice) ? "settled" : "open"}
            data-stop
            tabIndex={-1}
            aria-label={fieldName(conflict.field)}
          >
            <h2 className={styles.field}>{fieldName(conflict.field)}</h2>
            <Sides chosen={(side) => choice !== undefined && "keep" in choice && choice.keep === side}>
              {{
                base: (
                  <Value
                    space={space}
                    number={number}
                    conflict={conflict}
                    full={full}
                    side="base"
                    value={conflict.base}
                  />
                ),
                main: (
                  <Value
                    space={space}
                    number={number}
                    conflict={conflict}
                    full={full}
                    side="main"
                    value={conflict.main}
                  />
                ),
                mine: (
                  <Value
                    space={space}
                    number={number}
                    conflict={conflict}
                    full={full}
                    side="changeRequest"
                    value={conflict.changeRequest}
                  />
                ),
              }}
            </Sides>
            {choose && (
              <ChooseValue conflict={conflict} choice={choice} onChoose={(next) => choose(conflict.id, next)} />
            )}
          </section>
        );
      })}
    </div>
  );
}

// fieldName writes the name of a field; a variable is known by its own.
function fieldName(field = ""): string {
  const [first = "", rest] = field.split(/\.(.*)/s);
  if (first === "variables" && rest) return t("conflict.variable", { name: rest });
  const known = (["parent", "position", "blob", "entry", "name"] as const).find((each) => each === field);
  return known ? t(`conflict.field.${known}`) : named(field).replace(/:$/, "");
}

// texts are the fields that can have another value than those of the two sides, written here.
const texts = new Set(["title", "slug", "description", "linkTitle", "name"]);

function ChooseValue({
  conflict,
  choice,
  onChoose,
}: {
  conflict: Conflict;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}) {
  const free =
    (texts.has(conflict.field ?? "") || conflict.field?.startsWith("variables.")) &&
    typeof conflict.changeRequest === "string" &&
    typeof conflict.main === "string";
  const value = choice && "value" in choice && typeof choice.value === "string" ? choice.value : "";
  return (
    <Choose
      options={["main", "mine"] as const}
      chosen={choice && "keep" in choice ? choice.keep : undefined}
      onChoose={(option) => onChoose({ keep: option })}
    >
      {free && (
        <Field
          label={t("conflict.other")}
          hideLabel
          placeholder={t("conflict.other")}
          value={value}
          onChange={(event) =>
            onChoose(event.currentTarget.value ? { value: event.currentTarget.value } : { keep: "mine" })
          }
        />
      )}
    </Choose>
  );
}

type ValueProps = {
  space: string;
  number: number;
  conflict: Conflict;
  full: Conflict;
  side: "base" | "main" | "changeRequest";
  value: unknown;
};

// Value is what a side has of a field. What stands for a page or for bytes is shown as that.
function Value({ space, number, conflict, full, side, value }: ValueProps): ReactNode {
  const tree = useQuery({ ...pages(space, number), enabled: conflict.field === "parent" }).data;
  const subject = full.subjects?.[0];
  const revision = full.revisions?.[side];
  if (value === null || value === undefined || value === "")
    return <p className={styles.nothing}>{t(conflict.field === "parent" ? "diff.top" : "diff.none")}</p>;
  if ((conflict.field === "blob" || conflict.field === "entry") && subject && revision)
    return <WholeAt space={space} revision={revision} subject={subject} />;
  if (conflict.field === "position") return <p>{t(`conflict.position.${side}`)}</p>;
  const page = conflict.field === "parent" && tree ? find(tree, String(value)) : undefined;
  return <p className={styles.value}>{page ? label(page) : spelt(value)}</p>;
}
