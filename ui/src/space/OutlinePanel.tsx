// The headings of the page on the screen, the current one marked, how long the page is, and what links to it.
import { type KeyboardEvent, useEffect, useState } from "react";
import { wide } from "../look/useMedia";
import { t } from "../words/words";
import { Backlinks } from "./Backlinks";
import styles from "./OutlinePanel.module.css";
import { type Heading, type PageText, usePageText } from "./PageText";
import type { PanelPlace } from "./panels";
import { usePanel } from "./usePanel";

// Words that people read in a minute.
const speed = 230;

// A heading is the current one from here on, in pixels below the top of the window: the header covers what is above.
const line = 120;

export function OutlinePanel({ space, change, page }: PanelPlace) {
  return (
    <>
      <Outline />
      {page && <Backlinks key={page} space={space} change={change} page={page} />}
    </>
  );
}

function Outline() {
  const text = usePageText();
  const outline = useOutline(text);
  const current = useCurrent(outline?.headings);
  const { show } = usePanel();
  if (!outline) return null;
  const { headings, words, characters } = outline;

  const go = (heading: Heading) => {
    // What lies on top of the page goes first.
    if (!matchMedia(wide).matches) show(null);
    heading.go();
  };
  return (
    <>
      {headings.length === 0 ? (
        <p className={styles.nothing}>{t("outline.empty")}</p>
      ) : (
        <nav aria-label={t("panel.outline")} className={styles.list} onKeyDown={walk}>
          {headings.map((heading, index) => (
            <button
              key={index}
              type="button"
              className={styles.row}
              data-level={heading.level}
              aria-current={index === current ? "location" : undefined}
              onClick={() => go(heading)}
            >
              {heading.text || t("outline.untitled")}
            </button>
          ))}
        </nav>
      )}
      <dl className={styles.counts}>
        <dt>{t("outline.words")}</dt>
        <dd>{words.toLocaleString(document.documentElement.lang)}</dd>
        <dt>{t("outline.characters")}</dt>
        <dd>{characters.toLocaleString(document.documentElement.lang)}</dd>
        <dt>{t("outline.time")}</dt>
        <dd>{t("outline.minutes", { count: Math.max(1, Math.round(words / speed)) })}</dd>
      </dl>
    </>
  );
}

// useOutline reads the text when it is quiet for a moment.
function useOutline(text: PageText | null) {
  const [outline, setOutline] = useState<ReturnType<PageText["read"]> | null>(null);
  useEffect(() => {
    if (!text) return setOutline(null);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => setOutline(text.read());
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(read, 250);
    };
    read();
    const stop = text.subscribe(later);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [text]);
  return outline;
}

// useCurrent is the last heading that the window has been scrolled to.
function useCurrent(headings: Heading[] | undefined): number {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    if (!headings) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      let found = 0;
      headings.forEach((heading, index) => {
        const element = heading.element();
        if (element?.isConnected && element.getBoundingClientRect().top <= line) found = index;
      });
      // The last ones may never come to the top.
      const { scrollTop, clientHeight, scrollHeight } = document.scrollingElement ?? document.documentElement;
      setCurrent(scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2 ? headings.length - 1 : found);
    };
    const scrolled = () => (frame ||= requestAnimationFrame(look));
    look();
    window.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", scrolled);
    };
  }, [headings]);
  return current;
}

// Arrows walk through the headings.
function walk(event: KeyboardEvent<HTMLElement>) {
  const rows = [...event.currentTarget.querySelectorAll("button")];
  const at = rows.indexOf(document.activeElement as HTMLButtonElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined || !rows[next]) return;
  event.preventDefault();
  rows[next].focus();
}
