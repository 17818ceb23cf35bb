// The frame of a space: its pages at the side, a header with the path, and the screen. In a change request the header
// is tinted and says so, and the tree has its pages. Screens stand within <main>; what they add to the header, such as
// the state of saving or a button of their own, goes there through HeaderSlot.
import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Dialog } from "../look/Dialog";
import { desktop, useMedia } from "../look/useMedia";
import { Refused } from "../shell/Nothing";
import { useShortcut } from "../shell/useShortcut";
import { t } from "../words/words";
import { SlotHost } from "./HeaderSlot";
import { CommentingHost } from "../comments/Commenting";
import { PageTextHost } from "./PageText";
import { space as spaceQuery } from "./queries";
import { Resizer } from "./Resizer";
import { SidePanel } from "./SidePanel";
import styles from "./SpaceFrame.module.css";
import { SpaceHeader } from "./SpaceHeader";
import { SpaceSide } from "./SpaceSide";
import { usePanel } from "./usePanel";
import { useWidth } from "./useWidth";

const SpaceSearch = lazy(() => import("./SpaceSearch").then(({ SpaceSearch }) => ({ default: SpaceSearch })));

const SpaceReplace = lazy(() => import("../find/SpaceReplace").then(({ SpaceReplace }) => ({ default: SpaceReplace })));

// What the browser keeps while the pages at the side are hidden.
const hidden = "recto.tree.hidden";

type Props = { space: string; change?: number | undefined };

export function SpaceFrame({ space, change }: Props) {
  const asked = useQuery(spaceQuery(space));
  const { page }: { page?: string } = useParams({ strict: false });
  const beside = useMedia(desktop);
  const [over, setOver] = useState(false);
  const [shown, setShown] = useState(() => localStorage.getItem(hidden) === null);
  const [width, resize] = useWidth();
  const navigate = useNavigate();
  const panel = usePanel();
  const [searching, setSearching] = useState(false);
  // The words that are to be replaced, while they are.
  const [replacing, setReplacing] = useState<string | null>(null);
  const replace = (words: string) => {
    setSearching(false);
    setReplacing(words);
  };
  useShortcut("findInSpace", () => setSearching(true));
  useShortcut("panel", panel.offered.length > 0 ? panel.toggle : undefined);
  const toggle = () => {
    if (!beside) return setOver(true);
    if (shown) localStorage.setItem(hidden, "");
    else localStorage.removeItem(hidden);
    setShown(!shown);
  };
  useShortcut("tree", toggle);
  useShortcut("toSpace", () => void navigate({ to: "/spaces/$space", params: { space } }));
  useShortcut("toChanges", () => void navigate({ to: "/spaces/$space/changes", params: { space } }));
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  const side = (
    <SpaceSide
      space={space}
      change={change}
      page={page}
      onLeave={() => setOver(false)}
      onSearch={() => setSearching(true)}
    />
  );
  return (
    <SlotHost>
      <div className={styles.frame} data-change={change !== undefined}>
        {beside ? shown && (
          <nav className={styles.side} aria-label={t("space.pages")} style={{ width }}>
            {side}
            <Resizer width={width} onResize={resize} />
          </nav>
        ) : (
          <Dialog open={over} onOpenChange={setOver} title={t("space.pages")} shape="sheet">
            <nav className={styles.sheet} aria-label={t("space.pages")}>
              {side}
            </nav>
          </Dialog>
        )}
        <div className={styles.content}>
          <SpaceHeader
            space={space}
            change={change}
            page={page}
            onPages={beside && shown ? undefined : toggle}
            panel={panel}
          />
          <main id="main" tabIndex={-1} className={styles.main}>
            <Outlet />
          </main>
        </div>
        <SidePanel state={panel} />
        <Suspense>
          {searching && (
            <SpaceSearch
              space={space}
              change={change}
              open
              onOpenChange={setSearching}
              onReplace={asked.data?.permissions.edit ? replace : undefined}
            />
          )}
        </Suspense>
        <Suspense>
          {replacing !== null && (
            <SpaceReplace space={space} change={change} words={replacing} onClose={() => setReplacing(null)} />
          )}
        </Suspense>
      </div>
    </SlotHost>
  );
}

// SpaceScreen is the frame for the space, and the change request, of the address.
export function SpaceScreen() {
  const { space = "", number }: { space?: string; number?: string } = useParams({ strict: false });
  return (
    <PageTextHost key={space}>
      <CommentingHost place={`${space}/${number ?? "main"}`}>
        <SpaceFrame space={space} change={number === undefined ? undefined : Number(number)} />
      </CommentingHost>
    </PageTextHost>
  );
}
