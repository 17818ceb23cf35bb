// Who may do what in a space or a collection, and why: people, teams and guests, with what gives it to them. It stands
// in the settings of a space and in those of a collection.
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Lock } from "lucide-react";
import { t } from "../words/words";
import styles from "./Access.module.css";
import { AddAccess } from "./AddAccess";
import { GuestLink } from "./GuestLink";
import { Level } from "./Level";
import { LossDialog } from "./LossDialog";
import { People } from "./People";
import type { Place } from "./queries";
import { Teams } from "./Teams";
import { useAccess } from "./useAccess";

export function Access({ place }: { place: Place }) {
  const state = useAccess(place);
  const { subject, change } = state;
  if (subject.isPending) return <Skeleton shape="rows" lines={6} />;
  if (subject.isError && !subject.data)
    return <Failed failure={subject.error} onRetry={() => void subject.refetch()} />;
  const may = subject.data.permissions;
  if (!may.listPeople) {
    return (
      <EmptyState icon={<Lock />} title={t("access.closed")}>
        {t("access.closed.text")}
      </EmptyState>
    );
  }
  return (
    <div className={styles.access}>
      {may.viewInviteLinks ? <AddAccess state={state} /> : <p className={styles.about}>{t("access.readOnly")}</p>}
      {change.isError && <Failed failure={change.error} />}
      <Level place={place} state={state} />
      <Teams place={place} state={state} />
      <People place={place} state={state} />
      {may.viewInviteLinks && <GuestLink place={place} state={state} />}
      <LossDialog loss={state.asked?.loss} onConfirm={state.confirm} onCancel={state.cancel} />
    </div>
  );
}
