// Looking at a change request as a visitor: what is known of them is chosen here, and a link leads to the site as it
// would be for them. Nobody else gets anything of it.
import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useState } from "react";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import { type Chosen, type Claim, claimsOf, listed, nameOf as claimName } from "./claims";
import styles from "./PreviewAs.module.css";
import { type Preview, previewAs } from "./queries";

type Props = {
  space: string;
  number: number;
  places: Preview[];
  nameOf: (place: Preview) => string;
  onClose: () => void;
};

export function PreviewAs({ space, number, places, nameOf, onClose }: Props) {
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState<Chosen>({});
  const place = places[at] ?? places[0];
  const claims = place?.claims ?? [];
  const made = useQuery({
    ...previewAs(space, number, place?.siteSpace ?? "", claimsOf(claims, chosen)),
    enabled: place !== undefined,
  });
  const used = claims.filter((each) => each.used);
  const rest = claims.filter((each) => !each.used);
  const field = (claim: Claim) => {
    const name = claimName(claim);
    return (
      <ClaimField
        key={`${at} ${name}`}
        claim={claim}
        value={chosen[name]}
        onChange={(value) => setChosen({ ...chosen, [name]: value })}
      />
    );
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("preview.as")}
      description={t("preview.about")}
      actions={
        made.data && !made.isFetching ? (
          <a href={made.data.url} target="_blank" rel="noopener" className={buttonClass("primary")}>
            <Eye aria-hidden />
            {t("preview.open")}
          </a>
        ) : (
          <Button kind="primary" busy={made.isFetching} disabled>
            {t("preview.open")}
          </Button>
        )
      }
    >
      <div className={styles.form}>
        {places.length > 1 && (
          <Field
            label={t("preview.site")}
            control={
              <select value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
                {places.map((each, index) => (
                  <option key={each.siteSpace} value={index}>
                    {nameOf(each)}
                  </option>
                ))}
              </select>
            }
          />
        )}
        {used.map(field)}
        {used.length === 0 && <p className={styles.quiet}>{t("preview.unused")}</p>}
        {rest.length > 0 && (
          <details className={styles.rest} open={used.length === 0}>
            <summary>{t("preview.rest", { count: rest.length })}</summary>
            <div className={styles.form}>{rest.map(field)}</div>
          </details>
        )}
        {made.data?.shown === false && <Banner kind="warning">{t("preview.hidden")}</Banner>}
        {made.isError && <Failed failure={made.error} onRetry={() => void made.refetch()} />}
      </div>
    </Dialog>
  );
}

type FieldProps = { claim: Claim; value: string | string[] | undefined; onChange: (value: string | string[]) => void };

// ClaimField is one claim: of what may be known the values are offered, and nothing said is the first.
function ClaimField({ claim, value, onChange }: FieldProps) {
  const name = claimName(claim);
  const offered = listed(claim);
  const about = { label: name, ...(claim.description ? { hint: claim.description } : {}) };
  if (claim.kind === "array" && offered.length > 0) {
    const list = Array.isArray(value) ? value : [];
    return (
      <fieldset className={styles.list}>
        <legend className={styles.legend}>{name}</legend>
        {claim.description && <p className={styles.quiet}>{claim.description}</p>}
        {offered.map((each) => (
          <label key={each} className={styles.choice}>
            <input
              type="checkbox"
              checked={list.includes(each)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...list, each] : list.filter((one) => one !== each))
              }
            />
            {each}
          </label>
        ))}
      </fieldset>
    );
  }
  const text = typeof value === "string" ? value : "";
  if (claim.kind === "boolean" || claim.kind === "enum") {
    const options = claim.kind === "boolean" ? ["true", "false"] : offered;
    return (
      <Field
        {...about}
        control={
          <select value={text} onChange={(event) => onChange(event.currentTarget.value)}>
            <option value="">{t("preview.unknown")}</option>
            {options.map((each) => (
              <option key={each} value={each}>
                {claim.kind === "boolean" ? t(each === "true" ? "diff.yes" : "diff.no") : each}
              </option>
            ))}
          </select>
        }
      />
    );
  }
  const list = `claim-${name.replace(/\W/g, "-")}`;
  return (
    <>
      <Field
        {...about}
        value={text}
        maxLength={250}
        autoComplete="off"
        placeholder={t("preview.unknown")}
        {...(claim.kind === "number" ? { inputMode: "decimal" as const } : {})}
        {...(offered.length > 0 ? { list } : {})}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {offered.length > 0 && (
        <datalist id={list}>
          {offered.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  );
}
