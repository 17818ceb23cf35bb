// A page as readers see it. The server makes the HTML with the renderer of published sites, which lets nothing run;
// links into the app open in it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useRouter, useSearch } from "@tanstack/react-router";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import "../look/article.css";
import { BlockButton } from "../comments/BlockButton";
import { useCommenting, GiveSurface, type Target } from "../comments/Commenting";
import { domSurface, placesIn } from "../comments/dom";
import { SelectionButton } from "../comments/SelectionButton";
import { useMarks } from "../comments/useMarks";
import { directionOf } from "../look/direction";
import { Skeleton } from "../look/Skeleton";
import { Cover, TagList, TitleSign } from "../options/Cover";
import { Somebody } from "../people/Somebody";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { articleText } from "./articleText";
import { GivePageText } from "./PageText";
import { pageToRead, space as spaceQuery } from "./queries";
import { readBlocks } from "./readBlocks";
import { within } from "./links";
import { SourceFault } from "./SourceFault";
import styles from "./Reading.module.css";

export function Reading() {
  const {
    space = "",
    page = "",
    number,
  }: { space?: string; page?: string; number?: string } = useParams({ strict: false });
  const asked = useQuery(pageToRead(space, page, number === undefined ? undefined : Number(number)));
  const router = useRouter();
  const { panel }: { panel?: string } = useSearch({ strict: false });
  const [prose, setProse] = useState<HTMLElement | null>(null);
  const text = useMemo(() => prose && articleText(prose), [prose, asked.data]);
  const { open, begin } = useCommenting();
  const picked = useRef(open);
  picked.current = open;
  const blocks = useMemo(() => (prose ? placesIn(prose) : new Map<Element, Target>()), [prose, asked.data]);
  const surface = useMemo(() => prose && domSurface(prose, (id) => picked.current(id)), [prose, asked.data]);
  useEffect(() => () => surface?.end(), [surface]);
  useMarks(surface, { space, change: undefined }, page);
  const queries = useQueryClient();
  useEffect(() => (prose ? readBlocks(prose, queries, space) : undefined), [prose, asked.data, queries, space]);
  const about = useQuery(spaceQuery(space)).data;
  const comments = about?.permissions.comment ?? false;
  const here = asked.data?.id;
  // What a fragment names is there once the page is.
  useEffect(() => {
    if (here && location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [here]);

  const onClick = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element).closest("a");
    const href = link && within(link.href, space, number);
    if (!href) return;
    event.preventDefault();
    // The panel stays open from page to page.
    const url = new URL(href, location.href);
    if (panel) url.searchParams.set("panel", panel);
    router.history.push(url.pathname + url.search + url.hash);
  };

  if (asked.isError && !asked.data)
    return <Refused what="div" failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data)
    return (
      <div className={styles.column}>
        <Skeleton lines={9} />
      </div>
    );
  const { title, description, html, layout, owner } = asked.data;
  return (
    <article
      className={`article ${styles.column}`}
      dir={directionOf(about?.language, title, description)}
      lang={about?.language}
      data-wide={layout?.width === "wide"}
      onClick={onClick}
    >
      <Title text={title} />
      <GivePageText text={text} />
      <GiveSurface surface={surface} />
      {prose && comments && <SelectionButton root={prose} page={page} />}
      {prose && comments && (
        <BlockButton
          root={prose}
          blocks={() => [...blocks.keys()]}
          onAsk={(block) => begin({ ...blocks.get(block), page })}
        />
      )}
      <SourceFault space={space} change={number === undefined ? undefined : Number(number)} page={page} />
      <Cover space={space} change={number === undefined ? undefined : Number(number)} page={asked.data} />
      <header className={styles.head}>
        <h1 className={styles.title}>
          <TitleSign page={asked.data} />
          {title || t("tree.untitled")}
        </h1>
        {description && <p className={styles.description}>{description}</p>}
        <TagList page={asked.data} />
        {owner && (
          <p className={styles.owner}>
            {t("space.owner")} <Somebody id={owner} picture />
          </p>
        )}
      </header>
      {html ? (
        <div ref={setProse} className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      ) : (
        <p className={styles.nothing}>{t("space.emptyPage")}</p>
      )}
    </article>
  );
}
