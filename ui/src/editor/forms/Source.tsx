// Where a picture or a file comes from: this device, the files of the space, or an address.
import { ArrowLeft, Globe, Upload } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../look/Button";
import { t } from "../../words/words";
import { addressOf } from "../address";
import { fileChoices } from "../picker/choices";
import type { Choice } from "../picker/choice";
import { Picker } from "../picker/Picker";
import type { Ref, Services } from "../services";
import styles from "./Form.module.css";

type Props = {
  services: Services;
  // picture says that only pictures will do.
  picture: boolean;
  onFile: (files: File[]) => void;
  onRef: (ref: Ref) => void;
  onCancel: () => void;
  // back leads to the form that this was opened from.
  back?: (() => void) | undefined;
  many?: boolean;
};

export function Source({ services, picture, onFile, onRef, onCancel, back, many = false }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const search = async (words: string): Promise<Choice<Ref>[]> => {
    const found = await fileChoices(services, words, (file) => !picture || file.type.startsWith("image/"));
    const all: Choice<Ref>[] = found.map((each) => ({ ...each, value: { kind: "file", file: each.value.id } }));
    const address = addressOf(words);
    if (address?.startsWith("http"))
      all.push({
        id: "address",
        title: address,
        note: t("picker.address"),
        icon: <Globe aria-hidden />,
        group: "",
        value: { kind: "url", url: address },
      });
    return all;
  };
  return (
    <div className={styles.source}>
      {back && (
        <div className={styles.back}>
          <Button kind="quiet" icon={<ArrowLeft aria-hidden size={16} />} onClick={back}>
            {t("editor.back")}
          </Button>
        </div>
      )}
      <div className={styles.upload}>
        <Button icon={<Upload aria-hidden size={16} />} onClick={() => input.current?.click()}>
          {t(picture ? "editor.source.picture" : "editor.source.file")}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple={many}
          aria-label={t(picture ? "editor.source.picture" : "editor.source.file")}
          {...(picture ? { accept: "image/*" } : {})}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            if (files.length > 0) onFile(files);
          }}
        />
      </div>
      <Picker
        label={t("editor.source.search")}
        none={t("editor.source.none")}
        search={search}
        onChoose={onRef}
        onCancel={onCancel}
      />
    </div>
  );
}
