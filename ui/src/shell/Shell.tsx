// The frame that all screens stand in: rail or bottom bar, the banner of the connection, and what leads past them.
// Every screen has one <main id="main" tabIndex={-1}>, which the skip link leads to; SpaceFrame is that of a space.
import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { TooltipHost } from "../look/Tooltip";
import { t } from "../words/words";
import { ConnectionBanner } from "./ConnectionBanner";
import { KeyListHost } from "./KeyListHost";
import { Rail } from "./Rail";
import styles from "./Shell.module.css";
import { listen } from "./useShortcut";

export function Shell() {
  useEffect(listen, []);
  return (
    <>
      <a className={styles.skip} href="#main">
        {t("shell.skip")}
      </a>
      <div className={styles.shell}>
        <Rail />
        <div className={styles.screen}>
          <ConnectionBanner />
          <Outlet />
        </div>
      </div>
      <KeyListHost />
      <Announcer />
      <TooltipHost />
    </>
  );
}

// Announcer tells screen readers which screen has come, as browsers do with pages.
function Announcer() {
  const router = useRouter();
  const [said, say] = useState("");
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged }) => {
        if (pathChanged) say(document.title);
      }),
    [router],
  );
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {said}
    </p>
  );
}
