// What can be changed of a button: its words and looks, and where it leads or what it does.
import { useState } from "react";
import { Button } from "../../look/Button";
import { t } from "../../words/words";
import { iconChoices, targetChoices } from "../picker/choices";
import { Picker } from "../picker/Picker";
import type { Ref } from "../services";
import { lead, type Lead } from "../views/lead";
import styles from "./Form.module.css";
import type { FormProps } from "./NodeForm";
import { Acts, Segments, Select, TextField } from "./parts";
import { made } from "./PickForms";

const actions = ["link", "search", "ask", "select", "none"] as const;

export function ButtonForm({ services, data, set, put, remove }: FormProps) {
  const [choosing, setChoosing] = useState<"icon" | "target" | null>(null);
  const ref = data["ref"] as Ref | undefined;
  const action = data["action"] as { action?: string; query?: string; slug?: string } | undefined;
  const [later, setLater] = useState<{ of: string; found: Lead } | null>(null);
  const [kind, setKind] = useState<string>(action?.action ?? (ref ? "link" : "none"));
  const of = JSON.stringify(ref);
  const leads = later && later.of === of ? later.found : ref && lead(services, ref, (found) => setLater({ of, found }));
  const { ref: _ref, action: _action, ...rest } = data;

  if (choosing) {
    const back = () => setChoosing(null);
    return choosing === "icon" ? (
      <Picker
        label={t("editor.form.icon")}
        placeholder={t("editor.icon.search")}
        search={iconChoices}
        onChoose={(icon) => {
          set("icon", icon);
          back();
        }}
        onCancel={back}
      />
    ) : (
      <Picker
        label={t("editor.link.search")}
        search={(words) => targetChoices(services, words, { files: true, addresses: true, create: true })}
        onChoose={(target) =>
          void made(target).then(({ ref }) => {
            put({ ...rest, ref });
            back();
          }, back)
        }
        onCancel={back}
      />
    );
  }
  return (
    <>
      <div className={styles.fields}>
        <TextField
          autoFocus
          label={t("editor.button.label")}
          value={String(data["label"] ?? "")}
          onChange={(label) => put({ ...data, label })}
        />
        <Segments
          label={t("editor.button.kind")}
          value={data["kind"] === "secondary" ? "secondary" : "primary"}
          options={[
            { value: "primary", label: t("editor.button.primary") },
            { value: "secondary", label: t("editor.button.secondary") },
          ]}
          onChange={(value) => set("kind", value)}
        />
        <Segments
          label={t("editor.button.size")}
          value={String(data["size"] ?? "medium")}
          options={["small", "medium", "large"].map((value) => ({
            value,
            label: t(`editor.button.${value as "small"}`),
          }))}
          onChange={(value) => set("size", value === "medium" ? undefined : value)}
        />
        <Select
          label={t("editor.button.does")}
          value={kind}
          options={actions.map((value) => ({ value, label: t(`editor.button.does.${value}`) }))}
          onChange={(value) => {
            setKind(value);
            if (value === "link") setChoosing("target");
            else put(value === "none" ? rest : { ...rest, action: { action: value } });
          }}
        />
        {(kind === "search" || kind === "ask") && (
          <TextField
            label={t("editor.button.query")}
            value={action?.query ?? ""}
            onChange={(query) => put({ ...rest, action: { action: kind, ...(query ? { query } : {}) } })}
          />
        )}
        {kind === "select" && (
          <TextField
            label={t("editor.button.slug")}
            value={action?.slug ?? ""}
            onChange={(slug) => put({ ...rest, action: { action: kind, ...(slug ? { slug } : {}) } })}
          />
        )}
        <div className={styles.row}>
          {kind === "link" && (
            <Button onClick={() => setChoosing("target")}>
              {leads ? t("editor.button.to", { title: leads.title }) : t("editor.button.choose")}
            </Button>
          )}
          <Button onClick={() => (data["icon"] ? set("icon", undefined) : setChoosing("icon"))}>
            {t(data["icon"] ? "editor.button.icon.remove" : "editor.button.icon")}
          </Button>
        </div>
      </div>
      <Acts href={leads?.href} remove={remove} />
    </>
  );
}
