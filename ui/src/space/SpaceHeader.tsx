// The line above a page: where it is, on which branch, how saving goes, and the one main button.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, GitBranch, PanelLeft } from "lucide-react";
import { api, taken } from "../api/client";
import { changeRequests } from "../api/queries";
import { EditMenu } from "../change-request/EditMenu";
import { IconButton } from "../look/Button";
import { keysOf } from "../look/shortcuts";
import { t } from "../words/words";
import { SlotPlace } from "./HeaderSlot";
import { PanelButtons } from "./PanelButtons";
import { pages as pagesQuery, space as spaceQuery } from "./queries";
import styles from "./SpaceHeader.module.css";
import { find, label, pathTo } from "./tree";
import type { PanelState } from "./usePanel";

type Props = {
  space: string;
  change: number | undefined;
  page: string | undefined;
  onPages: (() => void) | undefined;
  panel: PanelState;
};

export function SpaceHeader({ space, change, page, onPages, panel }: Props) {
  const about = useQuery(spaceQuery(space)).data;
  const tree = useQuery(pagesQuery(space, change)).data;
  const way = tree && page ? pathTo(tree, page).flatMap((id) => find(tree, id) ?? []) : [];
  // A page that another is computed from cannot be written here.
  const writable =
    about?.permissions.edit && change === undefined && way.at(-1)?.type === "document" && !way.at(-1)?.computed;
  return (
    <header className={styles.header} data-change={change !== undefined}>
      <div className={styles.line}>
        {onPages && (
          <IconButton label={t("space.pages")} keys={keysOf("tree")} onClick={onPages}>
            <PanelLeft />
          </IconButton>
        )}
        <ol className={styles.path} aria-label={t("space.path")}>
          <li>
            <Link to="/spaces/$space" params={{ space }}>
              {about?.title ?? " "}
            </Link>
          </li>
          {way.map((each, index) => (
            <li key={each.id} aria-current={index === way.length - 1 ? "page" : undefined}>
              <ChevronRight aria-hidden />
              <span>{label(each)}</span>
            </li>
          ))}
        </ol>
        <Branch space={space} change={change} />
        <span className={styles.gap} />
        <SlotPlace name="state" className={styles.slot} />
        <PanelButtons state={panel} />
        <SlotPlace
          name="action"
          className={styles.slot}
          otherwise={
            writable && page !== undefined && <EditMenu space={space} page={page} direct={about?.editMode === "live"} />
          }
        />
      </div>
    </header>
  );
}

// Branch says whether one reads the main content or a change request.
function Branch({ space, change }: { space: string; change: number | undefined }) {
  const asked = useQuery({
    queryKey: changeRequests.one(space, change ?? ""),
    queryFn: () => {
      const path = { spaceId: space, changeRequestId: String(change) };
      return taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: { path } }));
    },
    enabled: change !== undefined,
  });
  if (change === undefined) {
    return (
      <span className={styles.chip}>
        <GitBranch aria-hidden />
        <span className={styles.subject}>{t("space.main")}</span>
      </span>
    );
  }
  const subject = asked.data?.subject || t("space.untitledChange");
  return (
    <Link
      to="/spaces/$space/changes/$number"
      params={{ space, number: String(change) }}
      className={styles.chip}
      data-change
    >
      <GitBranch aria-hidden />
      <span className={styles.subject}>
        #{change} {asked.data ? subject : ""}
      </span>
    </Link>
  );
}
