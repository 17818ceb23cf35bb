// A change request at a glance: what it is about, what it changes, who has a say, and what comes next; and what was
// said about it and has happened to it.
import { lazy, Suspense, type ReactNode } from "react";
import { Skeleton } from "../look/Skeleton";
import type { Space } from "../space/queries";
import { ChangedPages } from "./ChangedPages";
import { ChangeFrame } from "./ChangeFrame";
import styles from "./ChangeRequestScreen.module.css";
import { Description } from "./Description";
import type { ChangeRequest } from "./draft";
import { MergeBox } from "./MergeBox";
import { People } from "./People";

const Timeline = lazy(() => import("./Timeline").then(({ Timeline }) => ({ default: Timeline })));

export function ChangeRequestScreen() {
  return (
    <ChangeFrame tab="overview">
      {(request, space) => (
        <Columns request={request} space={space}>
          <Description
            space={space.id}
            request={request}
            editable={space.permissions.edit && request.status !== "merged"}
          />
          <ChangedPages space={space.id} number={request.number} />
        </Columns>
      )}
    </ChangeFrame>
  );
}

export function Conversation() {
  return (
    <ChangeFrame tab="conversation">
      {(request, space) => (
        <Columns request={request} space={space}>
          <Suspense fallback={<Skeleton lines={4} />}>
            <Timeline space={space.id} request={request} mayComment={space.permissions.comment} />
          </Suspense>
        </Columns>
      )}
    </ChangeFrame>
  );
}

// Columns is a part of a change request with what comes next beside it.
function Columns({ request, space, children }: { request: ChangeRequest; space: Space; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <div className={styles.side}>
        <MergeBox space={space} request={request} />
        <People space={space} request={request} />
      </div>
    </div>
  );
}
