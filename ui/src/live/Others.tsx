// Who else writes the page, in its header. Coming and going is said to those who listen, politely; moving is not.
import { useEffect, useRef, useState } from "react";
import { Avatar } from "../look/Avatar";
import { tip } from "../look/Tooltip";
import { t } from "../words/words";
import styles from "./Others.module.css";
import type { Person, User } from "./wire";

// distinct returns people once, whatever the number of their tabs.
function distinct(people: readonly Person[]): (User & { client: string })[] {
  const all = new Map<string, User & { client: string }>();
  for (const { user, client } of people) if (!all.has(user.id)) all.set(user.id, { ...user, client });
  return [...all.values()].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

// go brings the caret of somebody into view.
function go(client: string): void {
  const caret = document.querySelector<HTMLElement>(`.live-caret[data-client="${CSS.escape(client)}"]`);
  caret?.scrollIntoView({ block: "center" });
  caret?.classList.add("is-new");
}

// So many are shown; of the others there is a number, unless it is one.
const most = 4;

export function Others({ people }: { people: readonly Person[] }) {
  const said = useSaid(people);
  const all = distinct(people);
  const shown = all.length === most + 1 ? all : all.slice(0, most);
  const rest = all.slice(shown.length).map((each) => each.displayName);
  return (
    <>
      {all.length > 0 && (
        <ul className={styles.others} aria-label={t("live.others")}>
          {shown.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                className={styles.person}
                {...tip(each.displayName)}
                aria-label={t("live.go", { name: each.displayName })}
                onClick={() => go(each.client)}
              >
                <Avatar name={each.displayName} picture={each.photoURL} />
              </button>
            </li>
          ))}
          {rest.length > 0 && (
            <li>
              <button type="button" className={styles.person} {...tip(rest.join(", "))} aria-label={rest.join(", ")}>
                <span className={styles.rest}>+{rest.length}</span>
              </button>
            </li>
          )}
        </ul>
      )}
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </>
  );
}

// useSaid says who has come and who has gone.
function useSaid(people: readonly Person[]): string {
  const before = useRef(new Map<string, string>());
  const [said, setSaid] = useState("");
  useEffect(() => {
    const now = new Map(people.map(({ user }) => [user.id, user.displayName]));
    const came = [...now].filter(([id]) => !before.current.has(id)).map(([, name]) => t("live.came", { name }));
    const gone = [...before.current].filter(([id]) => !now.has(id)).map(([, name]) => t("live.gone", { name }));
    before.current = now;
    if (came.length + gone.length > 0) setSaid([...came, ...gone].join(" "));
  }, [people]);
  return said;
}
