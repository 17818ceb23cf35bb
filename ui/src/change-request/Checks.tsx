// What a merge needs, a row each: the rules, met or how to meet them, conflicts, broken links, and whether main has
// moved on. Everybody who reads the space may see it.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { failureText } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t, type Key } from "../words/words";
import { ConflictList } from "./ConflictList";
import { conflictsOf } from "./conflicts/queries";
import type { ChangeRequest } from "./draft";
import styles from "./MergeBox.module.css";
import { brokenLinks, type MergeCheck, mergeChecks } from "./queries";

// How many broken links are named at first.
const few = 5;

export function Checks({ space, request }: { space: string; request: ChangeRequest }) {
  const { number } = request;
  const [all, setAll] = useState(false);
  const rules = useQuery(mergeChecks(space, number));
  const conflicts = useQuery(conflictsOf(space, number));
  const broken = useQuery(brokenLinks(space, number));
  const waits = rules.isPending || conflicts.isPending;
  const failed = [rules, conflicts, broken].find((each) => each.isError);
  const links = broken.data ?? [];
  return (
    <ul className={styles.checks} id="merge-reasons">
      {waits && (
        <li>
          <Skeleton lines={2} />
        </li>
      )}
      {failed && <Check state="wrong">{failureText(failed.error)}</Check>}
      {rules.data?.rules?.map((rule, index) => (
        <Check key={index} state={rule.met ? "met" : rules.data.bypass ? "hint" : "wrong"}>
          {ruleText(rule)}
        </Check>
      ))}
      {rules.data?.bypass && <Check state="hint">{t("check.bypass")}</Check>}
      {conflicts.data?.length === 0 && <Check state="met">{t("check.noConflicts")}</Check>}
      {conflicts.data && conflicts.data.length > 0 && (
        <>
          <Check state="wrong">{t("change.conflicts", { count: conflicts.data.length })}</Check>
          <ConflictList space={space} number={number} conflicts={conflicts.data} />
        </>
      )}
      {broken.data && (
        <Check state={links.length > 0 ? "hint" : "met"}>
          {links.length > 0 ? t("change.broken", { count: links.length }) : t("check.noBroken")}
          {(all ? links : links.slice(0, few)).map((link, index) => (
            <span key={index} className={styles.link}>
              {link.page ? (
                <Link
                  to="/spaces/$space/changes/$number/pages/$page"
                  params={{ space, number: String(number), page: link.page.id }}
                >
                  {link.page.title || t("tree.untitled")}
                </Link>
              ) : null}{" "}
              <code>{link.target}</code>
            </span>
          ))}
          {links.length > few && !all && (
            <button type="button" className={styles.all} onClick={() => setAll(true)}>
              {t("check.allBroken", { count: links.length - few })}
            </button>
          )}
        </Check>
      )}
      {request.outdated && conflicts.data?.length === 0 && <Check state="hint">{t("change.outdated")}</Check>}
    </ul>
  );
}

// ruleText says a rule in words: what is met, or what is to be done.
function ruleText(rule: MergeCheck): string {
  const names = (rule.users ?? []).map((user) => user.displayName).join(", ");
  if (rule.rule === "custom") return rule.message || rule.missing || t("check.custom");
  return t(`check.${rule.met ? "met" : "unmet"}.${rule.rule}` as Key, { names });
}

const icons = { met: CircleCheck, wrong: CircleAlert, hint: TriangleAlert };

export function Check({ state, children }: { state: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[state];
  return (
    <li className={styles.check} data-state={state}>
      <Icon aria-label={t(`check.${state}`)} role="img" />
      <span>{children}</span>
    </li>
  );
}
