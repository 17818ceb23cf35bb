// What is said when a page cannot be written, or not any more while somebody writes it, and what becomes of what they
// typed.
import { useQuery } from "@tanstack/react-query";
import type { EndReason } from "../live/wire";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import styles from "./EditPage.module.css";
import { writable } from "./server";

type Props = {
  space: string;
  // What the change request was like when the page was opened, and why its live session has ended since.
  status: string;
  reason: EndReason | undefined;
  // Whether this person may write the page, and could when it was opened.
  may: boolean;
  began: boolean;
  // What was typed and not saved, null for nothing.
  unsaved: (() => string) | null;
  copied: boolean;
  onCopy: (text: string) => void;
  // onDrop forgets what was typed, where it is not on the screen.
  onDrop: (() => void) | undefined;
};

const statuses = {
  merged: "edit.closed.merged",
  archived: "edit.closed.archived",
  locked: "edit.closed.locked",
} as const;

function ended(reason: EndReason): string {
  switch (reason) {
    case "merged":
      return t("edit.closed.merged");
    case "deleted":
      return t("live.deleted");
    case "access":
      return t("live.access");
    default:
      return t("edit.closed.archived");
  }
}

export function Closed({ space, status, reason, may, began, unsaved, copied, onCopy, onDrop }: Props) {
  const comments = useQuery(spaceQuery(space)).data?.permissions.comment ?? false;
  const words = () => {
    if (reason) return ended(reason);
    if (!writable(status)) return t(statuses[status as keyof typeof statuses] ?? "edit.closed.archived");
    if (may) return null;
    if (began) return t("live.access");
    return t(comments ? "edit.closed.commenter" : "edit.closed.reader");
  };
  const said = words();
  if (said === null) return null;
  return (
    <Banner
      kind={unsaved ? "warning" : "info"}
      className={styles.banner}
      actions={
        unsaved && (
          <>
            <Button onClick={() => onCopy(unsaved())}>
              {t(copied ? "edit.conflict.copied" : "edit.conflict.copy")}
            </Button>
            {onDrop && (
              <Button kind="quiet" onClick={onDrop}>
                {t("edit.closed.drop")}
              </Button>
            )}
          </>
        )
      }
    >
      {said} {unsaved && t("live.unsaved")}
    </Banner>
  );
}
