// The picture above a page, another one for the dark theme, and how high it is.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Source } from "../editor/forms/Source";
import { Select } from "../editor/forms/parts";
import type { Ref, Services } from "../editor/services";
import { Button } from "../look/Button";
import { failureText } from "../look/Failed";
import { t } from "../words/words";
import { Focus } from "./Focus";
import styles from "./Options.module.css";
import type { Options, Page } from "./queries";

// Heights that sites tell apart, in pixels.
const heights = { short: 180, normal: 240, tall: 416 };
type Height = keyof typeof heights;
const heightOf = (pixels: number | undefined): Height =>
  !pixels ? "normal" : pixels <= 200 ? "short" : pixels >= 400 ? "tall" : "normal";

type Props = { page: Page; services: Services; onChange: (options: Options) => void };

export function CoverField({ page, services, onChange }: Props) {
  const { cover } = page;
  const [choosing, setChoosing] = useState<"ref" | "refDark" | null>(null);
  const [fault, setFault] = useState("");
  const ref = cover?.ref as Ref | undefined;
  const address = useQuery({
    queryKey: ["cover", page.id, ref?.file ?? ref?.url ?? ""],
    queryFn: async () => (ref?.kind === "file" ? services.fileAddress(ref) : null),
  }).data;
  const set = (part: "ref" | "refDark", ref: Ref) => {
    setChoosing(null);
    onChange({ cover: { ...cover, [part]: ref } as NonNullable<Options["cover"]> });
  };
  const upload = async (part: "ref" | "refDark", files: File[]) => {
    setFault("");
    try {
      const made = files[0] && (await services.upload(files[0], () => undefined).done);
      if (made) set(part, { kind: "file", file: made.id });
    } catch (failure) {
      setFault(failure instanceof Error && failure.message ? failure.message : failureText(failure));
    }
  };
  const { refDark: _, ...light } = cover ?? { yPos: 0 };
  return (
    <section className={styles.part} aria-labelledby="options-cover">
      <h3 id="options-cover" className={styles.title}>
        {t("options.cover")}
      </h3>
      {cover?.ref && !address && <p className={styles.note}>{cover.ref.url ?? t("options.cover.set")}</p>}
      {cover?.ref && (
        <Focus
          key={cover.yPos}
          address={address ?? null}
          height={heightOf(cover.height)}
          yPos={cover.yPos}
          onChange={(yPos) => onChange({ cover: { ...cover, yPos } as NonNullable<Options["cover"]> })}
        />
      )}
      <div className={styles.line}>
        <Button aria-expanded={choosing === "ref"} onClick={() => setChoosing(choosing === "ref" ? null : "ref")}>
          {t(cover?.ref ? "options.cover.change" : "options.cover.add")}
        </Button>
        {cover?.ref && (
          <Button
            aria-expanded={choosing === "refDark"}
            onClick={() => setChoosing(choosing === "refDark" ? null : "refDark")}
          >
            {t("options.cover.dark")}
          </Button>
        )}
        {cover?.refDark && (
          <Button kind="quiet" onClick={() => onChange({ cover: light as NonNullable<Options["cover"]> })}>
            {t("options.cover.noDark")}
          </Button>
        )}
        {cover && (
          <Button kind="quiet" onClick={() => onChange({ cover: null })}>
            {t("editor.remove")}
          </Button>
        )}
      </div>
      {choosing && (
        <Source
          key={choosing}
          services={services}
          picture
          onFile={(files) => void upload(choosing, files)}
          onRef={(ref) => set(choosing, ref)}
          onCancel={() => setChoosing(null)}
        />
      )}
      {fault && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
      {cover?.ref && (
        <Select
          label={t("options.cover.height")}
          value={heightOf(cover.height)}
          options={(Object.keys(heights) as Height[]).map((value) => ({ value, label: t(`options.cover.${value}`) }))}
          onChange={(value) =>
            onChange({ cover: { ...cover, height: heights[value as Height] } as NonNullable<Options["cover"]> })
          }
        />
      )}
    </section>
  );
}
