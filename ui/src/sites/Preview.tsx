// The real page of a site beside what is chosen for it. What is shown is the last page that could be made: a choice
// that the server refuses changes nothing here.
import { type Ref } from "react";
import { t } from "../words/words";
import type { Site } from "./queries";
import styles from "./Sites.module.css";

// previewOf returns the address of a site that can be shown here: a page of another host, or one behind a gate, cannot.
export function previewOf(site: Site): string | undefined {
  if (!site.published) return undefined;
  const open = site.visibility === "public" || site.visibility === "unlisted" ? site.urls.published : ticketed(site);
  return open && new URL(open).origin === location.origin ? open : undefined;
}

// ticketed returns the address at which a visitor is chosen. Answers without a ticket have the app's screen in its
// place.
export function ticketed({ published, urls }: Site): string | undefined {
  return published && urls.preview !== urls.app ? urls.preview : undefined;
}

export function Preview({
  site,
  frame,
  address = previewOf(site),
}: {
  site: Site;
  frame: Ref<HTMLIFrameElement>;
  address?: string | undefined;
}) {
  return (
    <div className={styles.beside}>
      {address ? (
        <iframe
          ref={frame}
          src={address}
          title={t("siteLook.page")}
          sandbox="allow-scripts allow-same-origin allow-popups"
          className={styles.page}
        />
      ) : (
        <p className={styles.note}>{t("siteLook.noPage")}</p>
      )}
    </div>
  );
}
