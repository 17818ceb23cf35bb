// The screen on which conflicts with main are settled: a list of them, one at a time with what there was before, what
// main has and what the change request has. Choices wait in the browser until they are applied; only then is anything
// sent, each conflict whole.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { buttonClass } from "../../look/Button";
import { EmptyState } from "../../look/EmptyState";
import { Skeleton } from "../../look/Skeleton";
import { Refused } from "../../shell/Nothing";
import { Title } from "../../shell/Title";
import { space as spaceQuery } from "../../space/queries";
import { t } from "../../words/words";
import { me } from "../draft";
import { changeRequest } from "../queries";
import styles from "./Conflicts.module.css";
import { conflictsOf } from "./queries";
import { Settling } from "./Settling";

export function Conflicts() {
  const { space = "", number: text = "" }: { space?: string; number?: string } = useParams({ strict: false });
  const number = Number(text);
  const user = useQuery(me).data;
  const about = useQuery(spaceQuery(space)).data;
  const request = useQuery(changeRequest(space, number));
  const asked = useQuery(conflictsOf(space, number));
  const failed = [request, asked].find((each) => each.isError && !each.data);
  if (failed) return <Refused failure={failed.error} onRetry={() => void failed.refetch()} />;
  if (!asked.data || !request.data || !user || !about) {
    return (
      <div className={styles.wait}>
        <Skeleton lines={8} />
      </div>
    );
  }
  if (asked.data.length > 0) {
    const open = request.data.status === "draft" || request.data.status === "open";
    return (
      <Settling
        space={space}
        number={number}
        user={user.id}
        conflicts={asked.data}
        editable={open && about.permissions.edit}
      />
    );
  }
  return (
    <>
      <Title text={t("conflict.title")} />
      <EmptyState
        icon={<CircleCheck />}
        level={1}
        title={t("conflict.none")}
        action={
          <Link to="/spaces/$space/changes/$number" params={{ space, number: text }} className={buttonClass("primary")}>
            {t(about.permissions.merge ? "conflict.merge" : "conflict.back")}
          </Link>
        }
      >
        {t("conflict.noneText")}
      </EmptyState>
    </>
  );
}
