// What of an API a block describes: a specification, and an operation, a webhook or schemas of it.
import { useEffect, useState } from "react";
import { Field } from "../../look/Field";
import { t } from "../../words/words";
import type { Described, Ref, Services, Spec } from "../services";
import styles from "./Forms.module.css";
import type { FormProps } from "./open";

function useSpecs(services: Services, spec: string) {
  const [specs, setSpecs] = useState<Spec[] | null>(null);
  const [failed, setFailed] = useState(false);
  const [known, setKnown] = useState<{ spec: string; described: Described | null }>({ spec: "", described: null });
  useEffect(() => {
    let left = false;
    services.specs().then(
      (list) => !left && setSpecs(list),
      () => !left && setFailed(true),
    );
    return () => void (left = true);
  }, [services]);
  useEffect(() => {
    if (!spec) return;
    let left = false;
    services.described(spec).then(
      (described) => !left && setKnown({ spec, described }),
      () => !left && setKnown({ spec, described: null }),
    );
    return () => void (left = true);
  }, [services, spec]);
  return {
    specs,
    failed,
    described: known.spec === spec ? known.described : null,
    waiting: spec !== "" && known.spec !== spec,
  };
}

type Kind = "operations" | "webhooks" | "schemas";

export const OperationForm = (props: FormProps) => <ApiForm {...props} kind="operations" />;
export const WebhookForm = (props: FormProps) => <ApiForm {...props} kind="webhooks" />;
export const SchemasForm = (props: FormProps) => <ApiForm {...props} kind="schemas" />;

function ApiForm({ data, change, services, kind }: FormProps & { kind: Kind }) {
  const [chosen, setChosen] = useState(data);
  const ref = (chosen["ref"] ?? {}) as Ref;
  const { specs, failed, described, waiting } = useSpecs(services, ref.spec ?? "");
  const set = (changes: Record<string, unknown>) => {
    setChosen({ ...chosen, ...changes });
    change(changes);
  };
  const listed = specs ?? [];
  // A specification that is not there any more stays chosen.
  const slugs =
    ref.spec && !listed.some(({ slug }) => slug === ref.spec)
      ? [ref.spec, ...listed.map(({ slug }) => slug)]
      : listed.map(({ slug }) => slug);
  const choose = (spec: string) =>
    set({
      ref: { kind: "openapi", ...(spec ? { spec } : {}) },
      path: undefined,
      name: undefined,
      method: undefined,
      schemas: undefined,
    });
  return (
    <>
      <Field
        label={t("editor.api.spec")}
        autoFocus
        control={
          <select>
            <option value="">{specs && specs.length === 0 ? t("editor.api.none") : t("editor.api.choose")}</option>
            {slugs.map((slug) => (
              <option key={slug} value={slug}>
                {slug}
              </option>
            ))}
          </select>
        }
        value={ref.spec ?? ""}
        onChange={(event) => choose(event.target.value)}
        error={failed ? t("editor.api.failed") : undefined}
      />
      {waiting && <p className={styles.note}>{t("editor.api.reading")}</p>}
      {!waiting && ref.spec && !described && <p className={styles.note}>{t("editor.api.unread")}</p>}
      {described && kind === "schemas" && (
        <Schemas
          described={described}
          chosen={(chosen["schemas"] ?? []) as string[]}
          grouped={chosen["grouped"] !== false}
          set={set}
        />
      )}
      {described && kind !== "schemas" && <Parts parts={described[kind]} kind={kind} chosen={chosen} set={set} />}
    </>
  );
}

type Set = (changes: Record<string, unknown>) => void;

function Parts({
  parts,
  kind,
  chosen,
  set,
}: {
  parts: Described["operations"];
  kind: "operations" | "webhooks";
  chosen: Record<string, unknown>;
  set: Set;
}) {
  const name = kind === "operations" ? "path" : "name";
  const value = chosen[name] ? `${String(chosen["method"] ?? "")} ${String(chosen[name])}` : "";
  const pick = (text: string) => {
    const at = text.indexOf(" ");
    set(text ? { method: text.slice(0, at), [name]: text.slice(at + 1) } : { method: undefined, [name]: undefined });
  };
  return (
    <Field
      label={t(kind === "operations" ? "editor.api.operation" : "editor.api.webhook")}
      control={
        <select>
          <option value="">{t(parts.length ? "editor.api.choose" : "editor.api.nothing")}</option>
          {value && !parts.some((each) => `${each.method} ${each.path}` === value) && (
            <option value={value}>{value}</option>
          )}
          {parts.map((each) => (
            <option key={`${each.method} ${each.path}`} value={`${each.method} ${each.path}`}>
              {`${each.method.toUpperCase()} ${each.path}${each.summary ? ` · ${each.summary}` : ""}`}
            </option>
          ))}
        </select>
      }
      value={value}
      onChange={(event) => pick(event.target.value)}
    />
  );
}

function Schemas({
  described,
  chosen,
  grouped,
  set,
}: {
  described: Described;
  chosen: string[];
  grouped: boolean;
  set: Set;
}) {
  const all = [...new Set([...described.schemas, ...chosen])];
  const toggle = (name: string, on: boolean) =>
    set({ schemas: on ? [...chosen, name] : chosen.filter((each) => each !== name) });
  return (
    <>
      <div role="group" aria-label={t("editor.api.schemas")} className={styles.names}>
        {all.length === 0 && <p className={styles.note}>{t("editor.api.nothing")}</p>}
        {all.map((name) => (
          <label key={name} className={styles.check}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            {name}
          </label>
        ))}
      </div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={grouped}
          onChange={(event) => set({ grouped: event.target.checked ? undefined : false })}
        />
        {t("editor.api.grouped")}
      </label>
    </>
  );
}
