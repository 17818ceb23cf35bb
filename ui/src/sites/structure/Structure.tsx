// What is on a site: sections, groups of them, and the spaces in each, arranged by dragging, by keys and by a menu,
// beside the page as readers see it.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Failed } from "../../look/Failed";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import { Preview } from "../Preview";
import { structureOf } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import { Add } from "./Add";
import { PartDialog } from "./PartDialog";
import { dropped, type Row, rowsOf, stepped, type Where } from "./rows";
import styles from "./Structure.module.css";
import { StructureRow } from "./StructureRow";
import { useArrange } from "./useArrange";

export type Dragged = { row: Row; over?: string; where?: Where };

export function Structure() {
  const { organization, site, change } = useShown();
  const asked = useQuery(structureOf(organization, site.id));
  const arrange = useArrange();
  const [edited, edit] = useState<Row>();
  const [dragged, drag] = useState<Dragged>();
  const [said, say] = useState("");
  const frame = useRef<HTMLIFrameElement>(null);
  const rows = asked.data ? rowsOf(asked.data.structure) : [];
  // What has changed shows in the page.
  const shown = JSON.stringify(asked.data?.structure);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current && shown !== before.current) frame.current?.contentWindow?.location.reload();
    before.current = shown;
  }, [shown]);
  const step = (row: Row, way: "up" | "down") => {
    const move = stepped(rows, row, way);
    if (!move) return;
    arrange(row, move);
    say(t("siteStructure.moved", { title: row.title, place: row.index + (way === "up" ? 0 : 2), count: row.siblings }));
  };
  return (
    <div className={sites.two}>
      <section className={sites.body} aria-labelledby="site-structure">
        <h2 id="site-structure" className={sites.heading}>
          {t("sites.structure")}
        </h2>
        <p className={sites.note}>{t("siteStructure.what")}</p>
        {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
        {asked.isPending && <Skeleton shape="rows" lines={3} />}
        {asked.data && rows.length === 0 && <p className={styles.empty}>{t("sites.empty")}</p>}
        {rows.length > 0 && (
          <ul className={styles.rows} aria-busy={change.isPending || undefined}>
            {rows.map((row) => (
              <StructureRow
                key={row.id}
                row={row}
                rows={rows}
                dragged={dragged}
                onDrag={drag}
                onDrop={(on, where) => {
                  const move = dragged && dropped(rows, dragged.row, on, where);
                  if (dragged && move) arrange(dragged.row, move);
                  drag(undefined);
                }}
                onStep={(way) => step(row, way)}
                onMove={(move) => arrange(row, move)}
                onEdit={() => edit(row)}
              />
            ))}
          </ul>
        )}
        <p className="visually-hidden" role="status">
          {said}
        </p>
        {site.permissions.create && asked.data && <Add rows={rows} />}
      </section>
      <Preview site={site} frame={frame} />
      {edited && <PartDialog row={edited} onClose={() => edit(undefined)} />}
    </div>
  );
}
