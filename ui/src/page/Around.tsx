// What stands around a page that is written, in either form: how saving goes, and what is to be said of it.
import { Link } from "@tanstack/react-router";
import { Code, Ellipsis, Pilcrow, Search } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import type { Target } from "../find/finder";
import { Banner } from "../look/Banner";
import { Button, buttonClass, IconButton } from "../look/Button";
import { Menu, MenuItem } from "../look/Menu";
import { copy as copyText } from "../look/copy";
import { keysOf } from "../look/shortcuts";
import { tablet, useMedia } from "../look/useMedia";
import { useShortcut } from "../shell/useShortcut";
import type { LiveState } from "../live/types";
import { Others } from "../live/Others";
import { HeaderSlot } from "../space/HeaderSlot";
import { t } from "../words/words";
import { ConflictNotice } from "../change-request/ConflictNotice";
import styles from "./EditPage.module.css";
import { MainNotice } from "./MainNotice";
import { Closed } from "./Closed";
import type { Mode } from "./mode";
import type { Saver, SaveState } from "./saving";
import { SaveNote } from "./SaveNote";
import type { Kept } from "./useKept";
import { type Place, writable } from "./server";

const FindBar = lazy(() => import("../find/FindBar").then(({ FindBar }) => ({ default: FindBar })));

type Props = {
  place: Place;
  mode: Mode;
  saving: Saver;
  state: SaveState;
  status: string;
  // Whether this person may write the page, see useMay.
  may: boolean;
  // What was typed here before and never saved.
  kept: Kept | null;
  // plain returns what is typed as text, to be copied.
  plain: () => string;
  // target is what is written as something to find in.
  target: () => Target | null;
  // live is the session that the page is written in, when there is one.
  live?: LiveState;
  outdated?: boolean;
  // onSwitch goes to the other form, once the server has what is typed in this one.
  onSwitch: () => void;
  children: ReactNode;
};

export function Around({
  place,
  mode,
  saving,
  state,
  status,
  may,
  kept,
  plain,
  target,
  onSwitch,
  live,
  outdated = false,
  children,
}: Props) {
  const open = writable(status) && may && !live?.ended;
  const [restored, setRestored] = useState(kept?.restored && open);
  const [began] = useState(may);
  const [copied, setCopied] = useState(false);
  const [stuck, setStuck] = useState(false);
  const [finding, setFinding] = useState<Target | null>(null);

  const copy = async (text: string) => {
    setCopied(await copyText(text));
  };
  // The other form is made of what the server has.
  const change = async () => {
    setStuck(false);
    if (await saving.flush()) onSwitch();
    else setStuck(true);
  };
  useShortcut("source", () => void change());
  const find = () => setFinding((now) => now ?? target());
  useShortcut("find", find);
  const roomy = useMedia(tablet);
  const label = t(mode === "rich" ? "source.show" : "source.hide");
  const icon = mode === "rich" ? <Code aria-hidden /> : <Pilcrow aria-hidden />;
  return (
    <>
      <HeaderSlot name="state">
        {live && roomy && <Others people={live.people} />}
        {roomy ? (
          <>
            <IconButton label={t("find.title")} keys={keysOf("find")} onClick={find}>
              <Search />
            </IconButton>
            <IconButton
              label={label}
              keys={keysOf("source")}
              aria-pressed={mode === "source"}
              onClick={() => void change()}
            >
              {icon}
            </IconButton>
          </>
        ) : (
          <Menu trigger={<IconButton label={t("edit.more")}><Ellipsis /></IconButton>}>
            <MenuItem icon={<Search />} onClick={find}>
              {t("find.title")}
            </MenuItem>
            <MenuItem icon={icon} onClick={() => void change()}>
              {label}
            </MenuItem>
          </Menu>
        )}
        {(open || (may && state.kind === "failed")) && (
          <SaveNote
            state={state}
            note={live?.way === "http" ? t("live.http") : undefined}
            onSave={() => void saving.save()}
          />
        )}
      </HeaderSlot>
      <HeaderSlot name="action">
        {place.change === undefined ? (
          <Link
            to="/spaces/$space/pages/$page"
            params={{ space: place.space, page: place.page }}
            className={buttonClass("primary")}
          >
            {t("edit.main.done")}
          </Link>
        ) : (
          <Link
            to="/spaces/$space/changes/$number"
            params={{ space: place.space, number: String(place.change) }}
            className={buttonClass("primary")}
            aria-label={t("edit.review")}
          >
            {t(roomy ? "edit.review" : "edit.review.short")}
          </Link>
        )}
      </HeaderSlot>
      {live && !roomy && <Others people={live.people} />}
      <Closed
        space={place.space}
        status={status}
        may={may}
        began={began}
        reason={live?.ended?.reason}
        unsaved={state.kind === "failed" ? plain : kept && !kept.restored ? kept.text : null}
        copied={copied}
        onCopy={(text) => void copy(text)}
        onDrop={kept && !kept.restored ? kept.drop : undefined}
      />
      {status === "main" && <MainNotice space={place.space} />}
      {place.change !== undefined && <ConflictNotice space={place.space} number={place.change} live={open} />}
      {outdated && (
        <Banner
          className={styles.banner}
          actions={<Button onClick={() => location.reload()}>{t("live.reload")}</Button>}
        >
          {t("live.outdated")}
        </Banner>
      )}
      {stuck && state.kind !== "saved" && (
        <Banner
          kind="warning"
          className={styles.banner}
          actions={
            <Button kind="quiet" onClick={() => setStuck(false)}>
              {t("look.close")}
            </Button>
          }
        >
          {t("source.stuck")}
        </Banner>
      )}
      {restored && state.kind !== "conflict" && (
        <Banner
          className={styles.banner}
          actions={
            <Button kind="quiet" onClick={() => setRestored(false)}>
              {t("look.close")}
            </Button>
          }
        >
          {t("edit.restored")}
        </Banner>
      )}
      {state.kind === "conflict" && (
        <Banner
          kind="warning"
          className={styles.banner}
          actions={
            <>
              <Button onClick={() => saving.keepMine()}>{t("edit.conflict.mine")}</Button>
              <Button onClick={() => saving.takeTheirs()}>{t("edit.conflict.theirs")}</Button>
              <Button kind="quiet" onClick={() => void copy(plain())}>
                {t(copied ? "edit.conflict.copied" : "edit.conflict.copy")}
              </Button>
            </>
          }
        >
          {t("edit.conflict")}
        </Banner>
      )}
      {finding && (
        <Suspense>
          <FindBar target={finding} editable={open} onClose={() => setFinding(null)} />
        </Suspense>
      )}
      {children}
    </>
  );
}
