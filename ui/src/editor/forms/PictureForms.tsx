// What can be changed of drawings and of images in a line.
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../look/Button";
import { t } from "../../words/words";
import { uploadInline } from "../media/inline";
import { replaceFile } from "../media/insert";
import type { Ref } from "../services";
import styles from "./Form.module.css";
import type { FormProps } from "./NodeForm";
import { Acts, DarkPicture, Segments, TextField } from "./parts";
import { Source } from "./Source";

// A drawing is a picture of the space, so an address is none.
export function DrawingForm({ view, services, getPos, set, remove, close }: FormProps) {
  return (
    <>
      <Source
        services={services}
        picture
        onCancel={close}
        onFile={([file]) => {
          if (file) replaceFile(view, getPos, file, "ref");
          close();
        }}
        onRef={(ref) => {
          set("ref", ref);
          close();
        }}
      />
      <Acts remove={remove} />
    </>
  );
}

export function InlineImageForm({ view, services, data, getPos, set, remove, close }: FormProps) {
  const [choosing, setChoosing] = useState<"ref" | "refDark" | null>(null);
  if (choosing) {
    return (
      <Source
        services={services}
        picture
        back={() => setChoosing(null)}
        onCancel={close}
        onFile={([file]) => {
          if (file) uploadInline(view, file, (ref) => replaced(view, getPos, choosing, ref));
          close();
        }}
        onRef={(ref: Ref) => {
          set(choosing, ref);
          close();
        }}
      />
    );
  }
  return (
    <>
      <div className={styles.fields}>
        <TextField
          autoFocus
          label={t("editor.image.alt")}
          value={String(data["alt"] ?? "")}
          onChange={(alt) => set("alt", alt)}
        />
        <Segments
          label={t("editor.image.size")}
          value={data["size"] === "line" ? "line" : "original"}
          options={[
            { value: "line", label: t("editor.image.size.line") },
            { value: "original", label: t("editor.image.size.original") },
          ]}
          onChange={(size) => set("size", size)}
        />
        <div className={styles.row}>
          <Button icon={<RefreshCw aria-hidden size={16} />} onClick={() => setChoosing("ref")}>
            {t("editor.replace")}
          </Button>
          <DarkPicture data={data} onChoose={() => setChoosing("refDark")} onRemove={() => set("refDark", undefined)} />
        </div>
      </div>
      <Acts remove={remove} />
    </>
  );
}

function replaced(view: FormProps["view"], getPos: FormProps["getPos"], name: string, ref: Ref) {
  const at = getPos();
  const node = at === undefined ? null : view.state.doc.nodeAt(at);
  if (at === undefined || node?.type.name !== "inlineImage") return null;
  return view.state.tr.setNodeMarkup(at, undefined, {
    ...node.attrs,
    data: { ...(node.attrs["data"] as object), [name]: ref },
  });
}
