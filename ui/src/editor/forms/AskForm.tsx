// Asks for what is to be put where the cursor is.
import { useState } from "react";
import type { EditorView } from "@tiptap/pm/view";
import { Button } from "../../look/Button";
import { t } from "../../words/words";
import { addressOf } from "../address";
import { type } from "../commands";
import { inlineImage, uploadInline } from "../media/inline";
import { fileNode, imageNode, insertBlock, place, send } from "../media/insert";
import { around } from "../panels";
import { emojiChoices, iconChoices, targetChoices } from "../picker/choices";
import { Picker } from "../picker/Picker";
import type { Asked } from "./ask";
import styles from "./Form.module.css";
import { TextField } from "./parts";
import { made } from "./PickForms";
import { Source } from "./Source";

type Props = { kind: Asked; view: EditorView; label: string; close: () => void };

export function AskForm({ kind, view, label, close }: Props) {
  const { services } = around(view);
  const inline = (name: string, data: object) => {
    view.dispatch(view.state.tr.replaceSelectionWith(type(name).create({ data }), false).scrollIntoView());
    close();
  };
  switch (kind) {
    case "picture":
    case "file":
      return (
        <Source
          services={services}
          picture={kind === "picture"}
          many
          onFile={(files) => {
            send(
              view,
              place(view.state, kind === "picture" ? "images" : "file"),
              files,
              kind === "picture" ? "image" : "file",
            );
            close();
          }}
          onRef={(ref) => {
            insertBlock(view, kind === "picture" ? imageNode(ref) : fileNode(ref));
            close();
          }}
          onCancel={close}
        />
      );
    case "inlineImage":
      return (
        <Source
          services={services}
          picture
          onFile={([file]) => {
            if (file) uploadInline(view, file, (ref) => inlineImage(view, ref));
            close();
          }}
          onRef={(ref) => {
            const tr = inlineImage(view, ref);
            if (tr) view.dispatch(tr);
            close();
          }}
          onCancel={close}
        />
      );
    case "embed":
      return (
        <AskAddress
          onDone={(url) => {
            insertBlock(view, type("embed").create({ data: { url } }));
            close();
          }}
        />
      );
    case "card":
      return <AskCard view={view} label={label} close={close} />;
    case "emoji":
      return (
        <Picker
          label={label}
          placeholder={t("editor.emoji.search")}
          search={emojiChoices}
          onChoose={(code) => inline("emoji", { code })}
          onCancel={close}
        />
      );
    case "icon":
      return (
        <Picker
          label={label}
          placeholder={t("editor.icon.search")}
          search={iconChoices}
          onChoose={(icon) => inline("icon", { icon })}
          onCancel={close}
        />
      );
  }
}

function AskCard({ view, label, close }: { view: EditorView; label: string; close: () => void }) {
  const [fault, setFault] = useState(false);
  return (
    <>
      <Picker
        label={label}
        placeholder={t("editor.link.search")}
        search={(words) => targetChoices(around(view).services, words, { files: true, addresses: true, create: true })}
        onChoose={(target) =>
          void made(target).then(
            ({ ref }) => {
              insertBlock(view, type("contentRef").create({ data: { ref } }));
              close();
            },
            () => setFault(true),
          )
        }
        onCancel={close}
      />
      {fault && <p role="alert" className={styles.fault}>{t("editor.page.create.failed")}</p>}
    </>
  );
}

function AskAddress({ onDone }: { onDone: (url: string) => void }) {
  const [text, setText] = useState("");
  const [tried, setTried] = useState(false);
  const read = addressOf(text);
  const good = read?.startsWith("http") ? read : null;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (good) onDone(good);
        else setTried(true);
      }}
    >
      <div className={styles.fields}>
        <TextField
          autoFocus
          inputMode="url"
          label={t("editor.embed.address")}
          placeholder="https://"
          value={text}
          fault={tried && !good ? t("editor.address.fault") : undefined}
          onChange={setText}
        />
        <Button kind="primary" type="submit">
          {t("editor.embed.insert")}
        </Button>
      </div>
    </form>
  );
}
