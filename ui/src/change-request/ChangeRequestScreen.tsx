// A change request at a glance: what it is about, what it changes, who has a say, and what comes next.
import { lazy, Suspense } from "react";
import { Skeleton } from "../look/Skeleton";
import { ChangedPages } from "./ChangedPages";
import { ChangeFrame } from "./ChangeFrame";
import styles from "./ChangeRequestScreen.module.css";
import { Description } from "./Description";
import { MergeBox } from "./MergeBox";
import { People } from "./People";

const Timeline = lazy(() => import("./Timeline").then(({ Timeline }) => ({ default: Timeline })));

export function ChangeRequestScreen() {
  return (
    <ChangeFrame tab="overview">
      {(request, space) => (
        <div className={styles.columns}>
          <div className={styles.main}>
            <Description space={space.id} request={request} editable={space.permissions.edit && request.status !== "merged"} />
            <ChangedPages space={space.id} number={request.number} />
            <Suspense fallback={<Skeleton lines={4} />}>
              <Timeline space={space.id} request={request} mayComment={space.permissions.comment} />
            </Suspense>
          </div>
          <div className={styles.side}>
            <MergeBox space={space} request={request} />
            <People space={space} request={request} />
          </div>
        </div>
      )}
    </ChangeFrame>
  );
}
