// What was changed of something without a text: a file with its pictures before and after, variables, groups and links.
import { Banner } from "../look/Banner";
import { t } from "../words/words";
import { Attributes } from "./Attributes";
import type { Entity } from "./changes";
import { WholeAt } from "./conflicts/WholeAt";
import styles from "./OtherDiff.module.css";

type Props = { space: string; entity: Entity; ends: { from: string | undefined; to: string | undefined } };

export function OtherDiff({ space, entity, ends }: Props) {
  const attributes = Object.assign(
    {},
    ...entity.changes.flatMap((each) => [each.attributes ?? {}, each.variables ?? {}]),
  ) as NonNullable<Entity["changes"][number]["attributes"]>;
  const bytes = attributes.downloadURL !== undefined;
  const named = Object.fromEntries(
    Object.entries(attributes).filter(([name]) => name !== "document" && name !== "downloadURL"),
  );
  const moved = entity.changes.find((each) => each.type === "page_moved");
  const whole = entity.group === "file";
  const subject = { id: entity.id, kind: "file" as const, title: entity.title };
  return (
    <>
      {entity.kind === "added" && <Banner kind="success">{t("diff.thingAdded")}</Banner>}
      {entity.kind === "deleted" && <Banner kind="warning">{t("diff.thingDeleted")}</Banner>}
      {moved && (
        <Banner>
          {entity.kind === "reordered"
            ? t("diff.reordered")
            : t("diff.pageMoved", {
                from: moved.parent?.before?.title ?? t("diff.top"),
                to: moved.parent?.after?.title ?? t("diff.top"),
              })}
        </Banner>
      )}
      {Object.keys(named).length > 0 && (
        <div className={styles.fields} data-stop tabIndex={-1}>
          <Attributes list={named} />
        </div>
      )}
      {whole && (bytes || entity.kind === "added" || entity.kind === "deleted") && (
        <div className={styles.pair} data-stop tabIndex={-1}>
          {(["from", "to"] as const).map((end) => {
            const absent = (end === "from" && entity.kind === "added") || (end === "to" && entity.kind === "deleted");
            return (
              <figure key={end} className={styles.side}>
                <figcaption className={styles.label}>{t(end === "from" ? "diff.before" : "diff.after")}</figcaption>
                {absent || !ends[end] ? (
                  <p className={styles.none}>{t("conflict.notThere")}</p>
                ) : (
                  <WholeAt space={space} revision={ends[end]} subject={subject} />
                )}
              </figure>
            );
          })}
        </div>
      )}
    </>
  );
}
