// What was deleted on one side, added on both, or has no place: both versions whole, and the side to keep.
import { useQuery } from "@tanstack/react-query";
import { Banner } from "../../look/Banner";
import { Field } from "../../look/Field";
import { pages } from "../../space/queries";
import { find, label } from "../../space/tree";
import { t } from "../../words/words";
import type { Conflict } from "../queries";
import { Choose } from "./Choose";
import styles from "./ConflictBody.module.css";
import { settled } from "./choices";
import type { DetailProps } from "./Settling";
import { Sides } from "./Sides";
import { WholeAt } from "./WholeAt";

export function ConflictWhole({ space, number, full, choices, choose }: DetailProps & { full: Conflict }) {
  const choice = choices[full.id];
  const [kind] = [full.kind];
  const tree = useQuery(pages(space, number)).data ?? [];
  const titleOf = (id: string) => {
    const page = find(tree, id);
    return full.subjects?.find((each) => each.id === id)?.title || (page ? label(page) : id) || t("tree.untitled");
  };
  const seen = (side: "base" | "main" | "changeRequest") => {
    const value = full[side];
    if (kind === "slug")
      return (
        <p>
          {value
            ? t("conflict.hasSlug", { page: titleOf(String(value)), slug: full.slug ?? "" })
            : t("conflict.freeSlug", { slug: full.slug ?? "" })}
        </p>
      );
    if (kind === "move-cycle") {
      const places = Object.entries((value ?? {}) as Record<string, string>);
      return places.map(([page, parent]) => (
        <p key={page}>
          {parent
            ? t("conflict.below", { page: titleOf(page), parent: titleOf(parent) })
            : t("conflict.top", { page: titleOf(page) })}
        </p>
      ));
    }
    const subject = full.subjects?.[0];
    const revision = full.revisions?.[side];
    if (!value || !subject || !revision)
      return (
        <p className={styles.nothing}>
          {t(kind === "edit-delete" && side !== "base" ? "conflict.deleted" : "conflict.notThere")}
        </p>
      );
    return <WholeAt space={space} revision={revision} subject={subject} />;
  };
  const slug = choice && "value" in choice && typeof choice.value === "string" ? choice.value : "";
  return (
    <div className={styles.body}>
      <Banner>
        {t(`conflict.about.${kind as Exclude<typeof kind, "field" | "body">}`, {
          parent: full.parent ? titleOf(full.parent) : "",
        })}
      </Banner>
      <section
        className={styles.place}
        data-place={settled(choice) ? "settled" : "open"}
        data-stop
        tabIndex={-1}
        aria-label={t(`conflict.kind.${kind}`)}
      >
        <Sides chosen={(side) => choice !== undefined && "keep" in choice && choice.keep === side}>
          {{ base: seen("base"), main: seen("main"), mine: seen("changeRequest") }}
        </Sides>
        {choose && (
          <Choose
            options={["main", "mine"] as const}
            chosen={choice && "keep" in choice ? choice.keep : undefined}
            onChoose={(option) => choose(full.id, { keep: option })}
          >
            {kind === "slug" && (
              <Field
                label={t("conflict.otherSlug")}
                hideLabel
                placeholder={t("conflict.otherSlug")}
                value={slug}
                onChange={(event) =>
                  choose(full.id, event.currentTarget.value ? { value: event.currentTarget.value } : { keep: "mine" })
                }
              />
            )}
          </Choose>
        )}
      </section>
    </div>
  );
}
