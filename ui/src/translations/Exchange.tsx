// Files for translators: the texts of a language are taken out, and brought in again.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { api, taken } from "../api/client";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { t } from "../words/words";
import { ofLanguage } from "./queries";
import type { Path } from "./Segments";
import styles from "./Translations.module.css";

const formats = { xliff: "XLIFF 2.0", po: "PO (gettext)" } as const;
const states = ["", "missing", "stale"] as const;

export function Exchange({ path, may, onChange }: { path: Path; may: boolean; onChange: () => void }) {
  const [state, setState] = useState<(typeof states)[number]>("");
  const file = useRef<HTMLInputElement>(null);
  const bring = useMutation({
    mutationFn: (chosen: File) =>
      taken(
        api.POST(`${ofLanguage}/import`, {
          params: { path, query: { format: /\.po$/i.test(chosen.name) ? "po" : "xliff" } },
          body: chosen as never,
          bodySerializer: (body: unknown) => body as File,
          headers: { "content-type": "application/octet-stream" },
        }),
      ),
    onSuccess: onChange,
  });
  const address = (format: string) => {
    const at = ofLanguage.replace(/\{(\w+)\}/g, (_, name: keyof Path) => encodeURIComponent(path[name]));
    return `${at}/export?${new URLSearchParams({ format, ...(state ? { state } : {}) })}`;
  };
  const problems = bring.data?.problems ?? [];
  return (
    <section className={styles.part} aria-labelledby="translation-files">
      <h2 id="translation-files" className={styles.heading}>
        {t("translations.files")}
      </h2>
      <p className={styles.note}>{t("translations.files.text")}</p>
      <div className={styles.line}>
        <select
          className={styles.select}
          aria-label={t("translations.files.what")}
          value={state}
          onChange={(event) => setState(event.target.value as typeof state)}
        >
          {states.map((each) => (
            <option key={each} value={each}>
              {t(`translations.files.${each || "all"}`)}
            </option>
          ))}
        </select>
        {Object.entries(formats).map(([format, name]) => (
          <a key={format} href={address(format)} download className={buttonClass("plain")}>
            <Download aria-hidden size={16} />
            {name}
          </a>
        ))}
        {may && (
          <>
            <Button icon={<Upload />} busy={bring.isPending} onClick={() => file.current?.click()}>
              {t("translations.files.import")}
            </Button>
            <input
              ref={file}
              type="file"
              hidden
              aria-label={t("translations.files.import")}
              accept=".xlf,.xliff,.po,application/xliff+xml"
              onChange={(event) => {
                const [chosen] = event.target.files ?? [];
                event.target.value = "";
                if (chosen) bring.mutate(chosen);
              }}
            />
          </>
        )}
      </div>
      {bring.isError && <Failed failure={bring.error} />}
      {bring.data && (
        <Banner kind={problems.length > 0 ? "warning" : "success"}>
          <p>
            {t("translations.files.taken", {
              applied: bring.data.applied,
              pages: bring.data.pages,
              unchanged: bring.data.unchanged,
            })}{" "}
            {bring.data.changeRequest && (
              <Link to="." hash="translation-pages">
                {t("translations.files.waits")}
              </Link>
            )}
          </p>
          {problems.length > 0 && (
            <ul className={styles.problems}>
              {problems.map((each, index) => (
                <li key={index}>
                  {each.line !== undefined && `${t("translations.files.line", { line: each.line })} `}
                  {each.message}
                </li>
              ))}
            </ul>
          )}
        </Banner>
      )}
    </section>
  );
}
