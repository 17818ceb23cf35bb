// What readers see around the title of a page that is written. It is changed in the options, which a press opens.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Cover, TagList, TitleSign } from "../options/Cover";
import { pageOptions } from "../options/queries";
import { usePanel } from "../space/usePanel";
import { t } from "../words/words";
import styles from "./EditPage.module.css";
import type { Place } from "./server";

type Props = { place: Place; children: ReactNode };

export function PageHead({ place, children }: Props) {
  const page = useQuery(pageOptions(place.space, place.change, place.page)).data;
  const { show } = usePanel();
  const { description, layout, tags } = page ?? {};
  const described = description && layout?.description !== false;
  const open = (name: string, className: string | undefined, inside: ReactNode) => (
    <button
      type="button"
      className={`${styles.option} ${className ?? ""}`}
      title={name}
      onClick={() => show("options")}
    >
      {inside}
    </button>
  );
  return (
    <>
      {page?.cover &&
        layout?.cover !== false &&
        open(t("edit.cover"), styles.coverOption, <Cover space={place.space} change={place.change} page={page} />)}
      {(page?.emoji || page?.icon) && open(t("edit.sign"), styles.signOption, <TitleSign page={page} />)}
      {children}
      {page && (described || tags) && (
        <div className={styles.more}>
          {described && open(t("edit.description"), styles.description, description)}
          <TagList page={page} />
        </div>
      )}
    </>
  );
}
