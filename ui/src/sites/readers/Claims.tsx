// The claims that a site takes of its visitors, each a row; and the same as text.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { api, Failure, taken } from "../../api/client";
import { Button } from "../../look/Button";
import { Failed } from "../../look/Failed";
import { Field } from "../../look/Field";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import { at, conditionsOf, root, schemaQuery } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import { type Claim, claimsOf, schemaOf } from "./claims";
import { ClaimRow } from "./ClaimRow";
import styles from "./Readers.module.css";

export function Claims() {
  const { organization, site } = useShown();
  const queries = useQueryClient();
  const asked = useQuery(schemaQuery(organization, site.id));
  // What is being changed, before it is saved.
  const [draft, setDraft] = useState<Claim[] | null>(null);
  const [text, setText] = useState<string | null>(null);
  const may = site.permissions.editAdaptiveSchema;
  const save = useMutation({
    mutationFn: async ({ draft, text }: { draft: Claim[] | null; text: string | null }) => {
      const jsonSchema = text === null ? schemaOf(draft ?? []) : parsed(text);
      return taken(
        api.PUT(`${root}/adaptive-schema`, { params: { path: at(organization, site.id) }, body: { jsonSchema } }),
      );
    },
    onSuccess: (now, sent) => {
      queries.setQueryData(schemaQuery(organization, site.id).queryKey, now);
      void queries.invalidateQueries({ queryKey: conditionsOf(organization, site.id).queryKey });
      // What was changed meanwhile is not saved yet.
      setDraft((shown) => (shown === sent.draft ? null : shown));
      setText((shown) => (shown === null || shown !== sent.text ? shown : JSON.stringify(now.jsonSchema, null, 2)));
    },
  });
  if (asked.isError && !asked.isSuccess) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (asked.isPending) return <Skeleton lines={3} />;
  const claims = draft ?? claimsOf(asked.data?.jsonSchema);
  const set = (index: number, claim: Claim | null) =>
    setDraft(claim ? claims.with(index, claim) : claims.toSpliced(index, 1));
  const changed = text === null ? draft !== null : text !== JSON.stringify(asked.data?.jsonSchema ?? {}, null, 2);
  return (
    <div className={styles.claims}>
      <div className={styles.bar}>
        <h3 className={sites.label}>{t("siteReaders.claims")}</h3>
        <Button
          kind="quiet"
          aria-pressed={text !== null}
          disabled={draft !== null}
          onClick={() => {
            save.reset();
            setText(text === null ? JSON.stringify(asked.data?.jsonSchema ?? schemaOf([]), null, 2) : null);
          }}
        >
          {t(text === null ? "siteReaders.claims.text" : "siteReaders.claims.list")}
        </Button>
      </div>
      {text !== null ? (
        <Field
          label={t("siteReaders.claims.schema")}
          hideLabel
          value={text}
          readOnly={!may}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          control={<textarea rows={16} className={styles.text} />}
        />
      ) : (
        <>
          {claims.length === 0 && <p className={sites.note}>{t("siteReaders.claims.none")}</p>}
          <ul className={styles.rows}>
            {claims.map((claim, index) => (
              <ClaimRow key={index} claim={claim} disabled={!may} onChange={(next) => set(index, next)} />
            ))}
          </ul>
          {may && (
            <Button
              icon={<Plus />}
              onClick={() =>
                setDraft([...claims, { name: "", kind: "string", values: [], description: "", signed: true }])
              }
            >
              {t("siteReaders.claims.add")}
            </Button>
          )}
        </>
      )}
      {save.isError && <Failed failure={save.error} />}
      {may && changed && (
        <div className={sites.line}>
          <Button
            kind="primary"
            busy={save.isPending}
            disabled={text === null && claims.some(({ name }) => !name.trim())}
            onClick={() => save.mutate({ draft, text })}
          >
            {t("siteReaders.claims.save")}
          </Button>
          <Button
            onClick={() => {
              save.reset();
              setDraft(null);
              if (text !== null) setText(JSON.stringify(asked.data?.jsonSchema ?? {}, null, 2));
            }}
          >
            {t("look.cancel")}
          </Button>
        </div>
      )}
      <span role="status" className={sites.note}>
        {save.isSuccess && !changed && t("siteReaders.claims.saved")}
      </span>
    </div>
  );
}

// parsed reads what was typed as JSON.
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Failure(400, t("siteReaders.claims.fault"));
  }
}
