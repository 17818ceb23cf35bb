// The texts of a page that wait for a translation, each with a field to write it in. What is written goes to the change
// request of the language.
import { useMutation, useQueries } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, type Schemas, taken } from "../api/client";
import { Button } from "../look/Button";
import { failureText } from "../look/Failed";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import { ofLanguage, segmentsOf } from "./queries";
import styles from "./Translations.module.css";

export type Path = { organizationId: string; translationSettingsId: string; language: string };

type Props = { path: Path; page: string; may: boolean; onChange: () => void };

export function Segments({ path, page, may, onChange }: Props) {
  const asked = useQueries({
    queries: (["stale", "missing"] as const).map((state) =>
      segmentsOf(path.organizationId, path.translationSettingsId, path.language, page, state),
    ),
  });
  const failed = asked.find(({ isError }) => isError);
  if (failed) return <Failed failure={failed.error} onRetry={() => void failed.refetch()} />;
  if (asked.some(({ isPending }) => isPending)) return <Skeleton lines={3} />;
  const list = asked.flatMap(({ data }) => data ?? []);
  return (
    <ul className={styles.segments}>
      {list.map((segment) => (
        <Segment key={segment.id} path={path} segment={segment} may={may} onChange={onChange} />
      ))}
    </ul>
  );
}

function Segment({
  path,
  segment,
  may,
  onChange,
}: {
  path: Path;
  segment: Schemas["TranslationSegment"];
  may: boolean;
  onChange: () => void;
}) {
  const form = useId();
  const [target, setTarget] = useState(segment.target);
  const save = useMutation({
    mutationFn: () =>
      taken(
        api.PUT(`${ofLanguage}/segments/{segmentId}`, {
          params: { path: { ...path, segmentId: segment.id } },
          body: { target },
        }),
      ),
    onSuccess: onChange,
  });
  return (
    <li className={styles.segment}>
      <p className={styles.sourceText}>
        <span className={styles.badge}>
          {t(`translations.state.${segment.state === "stale" ? "stale" : "missing"}`)}
        </span>{" "}
        <bdi>{segment.source}</bdi>
      </p>
      {may && (
        <form
          id={form}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          <Field
            label={t("translations.translation")}
            hideLabel
            value={target}
            required
            maxLength={100000}
            lang={path.language}
            dir="auto"
            error={save.isError ? failureText(save.error) : undefined}
            onChange={(event) => setTarget(event.target.value)}
            control={<textarea rows={2} />}
          />
          {(segment.placeholders ?? []).length > 0 && <p className={styles.note}>{t("translations.placeholders")}</p>}
          <Button type="submit" busy={save.isPending} className={styles.start!}>
            {t("place.save")}
          </Button>
        </form>
      )}
    </li>
  );
}
