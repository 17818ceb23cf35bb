// What can be changed of an image, and of the figure that it is in.
import { AlignCenter, AlignLeft, AlignRight, ImagePlus, RefreshCw } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../look/Button";
import { t } from "../../words/words";
import { type } from "../commands";
import type { Data } from "../document";
import { replaceFile } from "../media/insert";
import { upload } from "../media/uploads";
import type { Ref } from "../services";
import styles from "./Form.module.css";
import type { FormProps } from "./NodeForm";
import { Acts, Check, DarkPicture, Segments, TextField } from "./parts";
import { Source } from "./Source";

// widthSaid is a width as it is typed: "320" or "50 %".
export function widthSaid(width: unknown): string {
  if (typeof width === "number") return String(width);
  const { unit, value } = (width ?? {}) as { unit?: string; value?: number };
  return value === undefined ? "" : unit === "%" ? `${value}%` : String(value);
}

// widthRead is a width as the document has it, undefined for what is none.
export function widthRead(text: string): number | { unit: string; value: number } | undefined {
  const match = /^\s*(\d{1,5}(?:\.\d+)?)\s*(%|px)?\s*$/.exec(text);
  const value = Number(match?.[1]);
  if (!match || !(value > 0)) return undefined;
  return match[2] === "%" ? { unit: "%", value: Math.min(value, 100) } : value;
}

type Choosing = "ref" | "refDark" | "beside";

export function ImageForm({ view, services, data, getPos, set, put, remove, close }: FormProps) {
  const [choosing, setChoosing] = useState<Choosing | null>(null);
  const [width, setWidth] = useState(widthSaid(data["width"]));
  const ref = data["ref"] as Ref | undefined;
  const address = useQuery({
    queryKey: ["editor", "address", ref ?? {}],
    queryFn: () => (ref?.kind === "url" ? (ref.url ?? null) : services.fileAddress(ref ?? {})),
    staleTime: Infinity,
  });
  const pos = getPos();
  if (pos === undefined) return null;
  const figure = view.state.doc.resolve(pos).parent;
  const around = figure.attrs["data"] as Data;
  const setFigure = (name: string, value: unknown) => {
    const at = view.state.doc.resolve(getPos() ?? pos).before();
    const { [name]: _, ...rest } = around;
    view.dispatch(
      view.state.tr.setNodeMarkup(at, undefined, { ...figure.attrs, data: value ? { ...rest, [name]: value } : rest }),
    );
    // Draws the form again with what the figure is now.
    put(data);
  };
  const beside = (ref: Ref) => {
    const at = getPos();
    if (at === undefined) return null;
    return view.state.tr.insert(at + view.state.doc.nodeAt(at)!.nodeSize, type("image").create({ data: { ref } }));
  };

  if (choosing) {
    return (
      <Source
        services={services}
        picture
        back={() => setChoosing(null)}
        onCancel={close}
        onFile={([file]) => {
          if (file && choosing !== "beside") replaceFile(view, getPos, file, choosing);
          else if (file)
            upload(
              view,
              view.state.doc.resolve(getPos() ?? pos).before(),
              file,
              (_state, _pos, { id }) => beside({ kind: "file", file: id }),
              { picture: true },
            );
          close();
        }}
        onRef={(chosen) => {
          if (choosing === "beside") {
            const tr = beside(chosen);
            if (tr) view.dispatch(tr);
          } else if (choosing === "ref") {
            const { width: _width, height: _height, ...kept } = data;
            put({ ...kept, ref: chosen });
          } else set("refDark", chosen);
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
        <div className={styles.pair}>
          <TextField
            label={t("editor.image.width")}
            placeholder={t("editor.image.width.own")}
            value={width}
            fault={width.trim() && widthRead(width) === undefined ? t("editor.image.width.fault") : undefined}
            onChange={(text) => {
              setWidth(text);
              if (text.trim() === "" || widthRead(text) !== undefined) set("width", widthRead(text));
            }}
          />
          <Segments
            label={t("editor.image.align")}
            value={String(around["align"] ?? "center")}
            options={[
              { value: "left", label: t("editor.align.left"), icon: <AlignLeft aria-hidden /> },
              { value: "center", label: t("editor.align.center"), icon: <AlignCenter aria-hidden /> },
              { value: "right", label: t("editor.align.right"), icon: <AlignRight aria-hidden /> },
            ]}
            onChange={(align) => setFigure("align", align === "center" ? undefined : align)}
          />
        </div>
        <div className={styles.pair}>
          <Check
            label={t("editor.image.frame")}
            value={around["withFrame"] === true}
            onChange={(on) => setFigure("withFrame", on)}
          />
          <Check
            label={t("editor.image.full")}
            value={around["fullWidth"] === true}
            onChange={(on) => setFigure("fullWidth", on)}
          />
        </div>
        <div className={styles.row}>
          <Button icon={<ImagePlus aria-hidden size={16} />} onClick={() => setChoosing("beside")}>
            {t("editor.image.beside")}
          </Button>
          <DarkPicture data={data} onChoose={() => setChoosing("refDark")} onRemove={() => set("refDark", undefined)} />
        </div>
      </div>
      <Acts href={address.data} remove={remove}>
        <Button kind="quiet" icon={<RefreshCw aria-hidden size={16} />} onClick={() => setChoosing("ref")}>
          {t("editor.replace")}
        </Button>
      </Acts>
    </>
  );
}
