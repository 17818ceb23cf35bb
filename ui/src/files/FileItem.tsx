// A file in the grid or the list: what it looks like, its name, its kind and size, and what can be done with it.
import {
  Captions,
  Download,
  Ellipsis,
  File as FileIcon,
  FileArchive,
  FileAudio,
  FileCode,
  FileText,
  FileVideo,
  Pencil,
  Replace,
  Trash2,
} from "lucide-react";
import { describe } from "../editor/media/size";
import { IconButton } from "../look/Button";
import { Menu, MenuItem, MenuSeparator } from "../look/Menu";
import { t } from "../words/words";
import styles from "./Files.module.css";
import type { File } from "./queries";

const kinds: [RegExp, typeof FileIcon][] = [
  [/^video\//, FileVideo],
  [/^audio\//, FileAudio],
  [/zip|tar|gzip|compressed/, FileArchive],
  [/json|xml|yaml|javascript|html|css/, FileCode],
  [/^text\/|pdf|word|document/, FileText],
];

// silent is in how many texts it stands without an alternative text.
type Props = {
  file: File;
  view: string;
  silent: number;
  edits: boolean;
  onTexts: () => void;
  onReplace: () => void;
  onRename: () => void;
  onDelete: () => void;
};

export function FileItem({ file, view, silent, edits, onTexts, onReplace, onRename, onDelete }: Props) {
  const { name, contentType, downloadURL, dimensions, size } = file;
  const Icon = kinds.find(([kind]) => kind.test(contentType))?.[1] ?? FileIcon;
  const picture = contentType.startsWith("image/");
  return (
    <li className={view === "grid" ? styles.card : styles.row}>
      <a href={downloadURL} target="_blank" rel="noreferrer" className={styles.open}>
        <span className={styles.look} aria-hidden>
          {picture ? <img src={downloadURL} alt="" loading="lazy" decoding="async" /> : <Icon />}
        </span>
        <span className={styles.name}>{name}</span>
      </a>
      <span className={styles.about}>
        {describe(name, size)}
        {dimensions && ` · ${dimensions.width} × ${dimensions.height}`}
      </span>
      {silent > 0 && (
        <span className={styles.silence} title={t("files.alt.missing", { count: silent })}>
          {t("files.alt.sign")}
        </span>
      )}
      <Menu
        trigger={
          <IconButton label={t("files.menu", { name })} className={styles.menu}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem icon={<Download />} render={<a href={downloadURL} download={name} />}>
          {t("files.download")}
        </MenuItem>
        {edits && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Pencil />} onClick={onRename}>
              {t("files.rename")}
            </MenuItem>
            {picture && (
              <MenuItem icon={<Captions />} onClick={onTexts}>
                {t("files.alt.title")}
              </MenuItem>
            )}
            <MenuItem icon={<Replace />} onClick={onReplace}>
              {t("files.replace")}
            </MenuItem>
            <MenuItem danger icon={<Trash2 />} onClick={onDelete}>
              {t("files.delete")}
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
}
