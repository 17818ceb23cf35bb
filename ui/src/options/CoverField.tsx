// The picture above a page, another one for the dark theme, and how high it is.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Source } from "../editor/forms/Source";
import { Select } from "../editor/forms/parts";
import type { Ref, Services } from "../editor/services";
import { Button } from "../look/Button";
import { failureText } from "../look/Failed";
import { t } from "../words/words";
import styles from "./Options.module.css";
import type { Options, Page } from "./queries";

// Heights that sites tell apart, in pixels.
const heights = { short: 180, normal: 240, tall: 416 };
type Height = keyof typeof heights;
const heightOf = (pixels: number | undefined): Height => (!pixels ? "normal" : pixels <= 200 ? "short" : pixels >= 400 ? "tall" : "normal");

// What of it is seen where it is cut, as sites tell it: how far it is moved down, in pixels.
const parts = { top: 200, high: 100, middle: 0, low: -100, bottom: -200 };
type Part = keyof typeof parts;
const partOf = (y: number | undefined): Part => (!y || Math.abs(y) < 50 ? "middle" : y >= 150 ? "top" : y > 0 ? "high" : y <= -150 ? "bottom" : "low");

type Props = { page: Page; services: Services; onChange: (options: Options) => void };

export function CoverField({ page, services, onChange }: Props) {
  const { cover } = page;
  const [choosing, setChoosing] = useState<"ref" | "refDark" | null>(null);
  const [fault, setFault] = useState("");
  const picture = (ref: Ref | undefined) => ({
    queryKey: ["cover", page.id, ref?.file ?? ref?.url ?? ""],
    queryFn: async () => (ref?.kind === "url" ? null : ref ? services.fileAddress(ref) : null),
  });
  const address = useQuery(picture(cover?.ref as Ref | undefined)).data;
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
      {cover?.ref && (address ? <img src={address} alt="" className={styles.cover} data-height={heightOf(cover.height)} data-part={partOf(cover.yPos)} /> : <p className={styles.note}>{cover.ref.url ?? t("options.cover.set")}</p>)}
      <div className={styles.line}>
        <Button aria-expanded={choosing === "ref"} onClick={() => setChoosing(choosing === "ref" ? null : "ref")}>
          {t(cover?.ref ? "options.cover.change" : "options.cover.add")}
        </Button>
        {cover?.ref && (
          <Button aria-expanded={choosing === "refDark"} onClick={() => setChoosing(choosing === "refDark" ? null : "refDark")}>
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
      {choosing && <Source key={choosing} services={services} picture onFile={(files) => void upload(choosing, files)} onRef={(ref) => set(choosing, ref)} onCancel={() => setChoosing(null)} />}
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
          onChange={(value) => onChange({ cover: { ...cover, height: heights[value as Height] } as NonNullable<Options["cover"]> })}
        />
      )}
      {cover?.ref && (
        <Select
          label={t("options.cover.part")}
          value={partOf(cover.yPos)}
          options={(Object.keys(parts) as Part[]).map((value) => ({ value, label: t(`options.cover.${value}`) }))}
          onChange={(value) => onChange({ cover: { ...cover, yPos: parts[value as Part] } as NonNullable<Options["cover"]> })}
        />
      )}
    </section>
  );
}
