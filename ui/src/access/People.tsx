import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { me } from "../change-request/draft";
import { collectionsOf } from "../home/queries";
import { Avatar } from "../look/Avatar";
import { IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { fold } from "../space/tree";
import { t } from "../words/words";
import styles from "./Access.module.css";
import type { Entry, Place } from "./queries";
import { given, why } from "./reason";
import { rank, roleName, upTo } from "./role";
import { RoleSelect } from "./RoleSelect";
import type { AccessState } from "./useAccess";

// From so many people on there is a field to search with, and so many are shown at once.
const searched = 8;
const shown = 50;

// People lists everybody who has access, with what gives it to them. What comes from elsewhere is grey.
export function People({ place, state }: { place: Place; state: AccessState }) {
  const [words, setWords] = useState("");
  const { everybody } = state;
  const list = everybody.data ?? [];
  const found = list.filter(({ user }) => fold(`${user.displayName} ${user.email ?? ""}`).includes(fold(words)));
  return (
    <section className={styles.section} aria-labelledby="access-people">
      <h2 id="access-people" className={styles.heading}>
        {t("access.people")}
        {list.length > 0 && <span className={styles.count}>{list.length}</span>}
      </h2>
      {everybody.isPending && <Skeleton shape="rows" lines={4} />}
      {everybody.isError && <Failed failure={everybody.error} onRetry={() => void everybody.refetch()} />}
      {list.length > searched && (
        <Field
          label={t("access.search")}
          hideLabel
          type="search"
          placeholder={t("access.search")}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {everybody.data && found.length === 0 && <p className={styles.about}>{t("access.nobody")}</p>}
      <ul className={styles.rows}>
        {found.slice(0, shown).map((entry) => (
          <Person key={entry.user.id} entry={entry} place={place} state={state} />
        ))}
      </ul>
      {found.length > shown && <p className={styles.about}>{t("access.more", { count: found.length - shown })}</p>}
    </section>
  );
}

function Person({ entry, place, state }: { entry: Entry; place: Place; state: AccessState }) {
  const collections = useQuery(collectionsOf(state.organization)).data;
  const myself = useQuery(me).data?.id;
  const { user, permission } = entry;
  const own = state.mine?.permission;
  const here = given(entry, place);
  const mayGive =
    state.subject.data?.permissions.viewInviteLinks === true && entry.reason?.type !== "organization-admin";
  const mayChange = mayGive && !(here && rank(entry.reason?.level) > rank(own));
  const busy = state.change.isPending || !state.ready;
  return (
    <li className={styles.row} data-inherited={!here || undefined}>
      <Avatar name={user.displayName} picture={user.photoURL} />
      <div className={styles.words}>
        <span className={styles.name}>
          {user.displayName}
          {user.id === myself && <span className={styles.you}>{t("access.you")}</span>}
        </span>
        <span className={styles.about}>
          {why(entry, place, (id) => collections?.find((each) => each.id === id)?.title)}
        </span>
      </div>
      {mayChange ? (
        <RoleSelect
          label={t("access.roleOf", { name: user.displayName })}
          value={permission}
          roles={upTo(own)}
          disabled={busy}
          onChange={(role) => state.begin({ of: "user", id: user.id, role })}
        />
      ) : (
        <span className={styles.role}>{roleName(permission)}</span>
      )}
      {mayChange && here ? (
        <IconButton
          label={t("access.takeBack", { name: user.displayName })}
          disabled={busy}
          onClick={() => state.begin({ of: "user", id: user.id, role: undefined })}
        >
          <X />
        </IconButton>
      ) : (
        <span className={styles.gap} />
      )}
    </li>
  );
}
