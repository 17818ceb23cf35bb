// Files on their way into the document. Until one has arrived there is nothing of it in the document: it stands beside
// it as a decoration, which typing moves along, and is put in when the server has it.
import { closeHistory } from "@tiptap/pm/history";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { around } from "../panels";
import { UploadError, type FileEntry, type Upload, type UploadFault } from "../services";
import { uploadView } from "./upload-view";

// Put puts a file that has arrived at its place, null where nothing can be put there any more.
export type Put = (state: EditorState, pos: number, file: FileEntry) => Transaction | null;

export interface Sending {
  file: File;
  // preview is where the picture can be seen meanwhile, with its true size; null for a file that is none.
  preview: { address: string; width: number; height: number } | null;
  part: number;
  fault: UploadFault | null;
  message: string;
  retry(): void;
  // stop takes the upload away, whether it is on its way or failed.
  stop(): void;
  // asFile goes on with a picture that cannot be shown as one, null where that is no way out.
  asFile: (() => void) | null;
}

interface Entry {
  pos: number;
  sending: Sending;
  dom: HTMLElement;
}

const key = new PluginKey<Entry[]>("uploads");

type Meta = { add: Entry } | { remove: Sending };

export function uploads(): Plugin<Entry[]> {
  return new Plugin<Entry[]>({
    key,
    state: {
      init: () => [],
      apply(tr, before): Entry[] {
        const meta = tr.getMeta(key) as Meta | undefined;
        const moved = tr.docChanged
          ? before.map((entry) => ({ ...entry, pos: tr.mapping.map(entry.pos, -1) }))
          : before;
        if (!meta) return moved;
        return "add" in meta ? [...moved, meta.add] : moved.filter((entry) => entry.sending !== meta.remove);
      },
    },
    props: {
      decorations(state) {
        const entries = key.getState(state) ?? [];
        if (entries.length === 0) return null;
        const widgets = entries.map(({ pos, dom }) =>
          Decoration.widget(pos, () => dom, { key: dom.id, side: -1, ignoreSelection: true, stopEvent: () => true }),
        );
        return DecorationSet.create(state.doc, widgets);
      },
    },
    view: (view) => ({ destroy: () => key.getState(view.state)?.forEach(({ sending }) => sending.stop()) }),
  });
}

// pictures are the media types that browsers show.
const pictures = /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/;

export const isPicture = (type: string) => pictures.test(type);

let count = 0;

// upload sends a file and shows how that goes at a place between blocks. putFile is what is done with a picture that
// turns out to be none, when it may stand there as a file.
export function upload(
  view: EditorView,
  pos: number,
  file: File,
  put: Put,
  { picture, putFile }: { picture: boolean; putFile?: Put },
): void {
  let underway: Upload | null = null;
  let gone = false;
  const drawn = uploadView(`upload-${++count}`);
  const draw = () => !gone && drawn.draw(sending);
  const fail = (fault: UploadFault, message = "") => {
    Object.assign(sending, { fault, message });
    draw();
  };
  const end = (tr: Transaction) => {
    if (gone) return;
    gone = true;
    if (sending.preview) URL.revokeObjectURL(sending.preview.address);
    if (!view.isDestroyed) view.dispatch(tr.setMeta(key, { remove: sending } satisfies Meta));
  };
  const start = (how: Put) => {
    Object.assign(sending, { fault: null, message: "", part: 0 });
    sending.retry = () => start(how);
    draw();
    underway = around(view).services.upload(file, (part) => {
      sending.part = part;
      draw();
    });
    underway.done.then(
      (entry) => {
        const at = key.getState(view.state)?.find((each) => each.sending === sending)?.pos;
        if (gone || at === undefined) return;
        const tr = how(view.state, at, entry);
        end(tr ? closeHistory(tr) : view.state.tr);
      },
      (error: unknown) => !gone && (error instanceof UploadError ? fail(error.kind, error.message) : fail("refused")),
    );
  };
  const sending: Sending = {
    file,
    preview: null,
    part: 0,
    fault: null,
    message: "",
    retry: () => start(put),
    stop: () => {
      underway?.cancel();
      end(view.state.tr);
    },
    asFile: null,
  };
  view.dispatch(view.state.tr.setMeta(key, { add: { pos, sending, dom: drawn.dom } } satisfies Meta));
  if (!picture) {
    start(put);
    return;
  }
  // A picture that the browser cannot show is not sent as one.
  const unshown = () => {
    sending.asFile = putFile ? () => start(putFile) : null;
    fail("type");
  };
  if (!isPicture(file.type)) {
    unshown();
    return;
  }
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.onload = () => {
    sending.preview = { address, width: image.naturalWidth, height: image.naturalHeight };
    if (gone) URL.revokeObjectURL(address);
    else start(put);
  };
  image.onerror = () => {
    URL.revokeObjectURL(address);
    if (!gone) unshown();
  };
  image.src = address;
}
