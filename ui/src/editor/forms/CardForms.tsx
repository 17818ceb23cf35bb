// What can be changed of files and embeds. Their captions are typed in place.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../words/words";
import { addressOf } from "../address";
import { replaceFile } from "../media/insert";
import type { Ref } from "../services";
import styles from "./Form.module.css";
import type { FormProps } from "./NodeForm";
import { Acts, Check, TextField } from "./parts";
import { Source } from "./Source";

export function FileForm({ view, services, data, getPos, set, remove, close }: FormProps) {
  const ref = data["ref"] as Ref | undefined;
  const address = useQuery({
    queryKey: ["editor", "address", ref ?? {}],
    queryFn: () => services.fileAddress(ref ?? {}),
    staleTime: Infinity,
  });
  return (
    <>
      <Source
        services={services}
        picture={false}
        onCancel={close}
        onFile={([file]) => {
          if (file) replaceFile(view, getPos, file, "ref");
          close();
        }}
        onRef={(chosen) => {
          set("ref", chosen);
          close();
        }}
      />
      <Acts href={address.data} open="editor.download" remove={remove} />
    </>
  );
}

export function EmbedForm({ data, set, remove }: FormProps) {
  const url = String(data["url"] ?? "");
  const [text, setText] = useState(url);
  const read = addressOf(text);
  const good = read?.startsWith("http") ? read : null;
  return (
    <>
      <div className={styles.fields}>
        <TextField
          autoFocus
          inputMode="url"
          label={t("editor.embed.address")}
          placeholder="https://"
          value={text}
          fault={text && !good ? t("editor.address.fault") : undefined}
          onChange={(typed) => {
            setText(typed);
            const next = addressOf(typed);
            if (next?.startsWith("http")) set("url", next);
          }}
        />
        <Check
          label={t("editor.image.full")}
          value={data["fullWidth"] === true}
          onChange={(on) => set("fullWidth", on || undefined)}
        />
      </div>
      <Acts href={good} remove={remove} />
    </>
  );
}
