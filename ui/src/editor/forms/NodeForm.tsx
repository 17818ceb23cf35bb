// The form of the block or inline that a panel was opened for. What is changed in it is in the document at once; Escape
// and Enter leave it.
import { useReducer, type ReactNode } from "react";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Data } from "../document";
import { around } from "../panels";
import type { Services } from "../services";
import { ButtonForm } from "./ButtonForm";
import { EmbedForm, FileForm } from "./CardForms";
import { ImageForm } from "./ImageForm";
import { DrawingForm, InlineImageForm } from "./PictureForms";
import { EmojiForm, IconForm, TargetForm } from "./PickForms";
import styles from "./Form.module.css";

export interface FormProps {
  view: EditorView;
  services: Services;
  label: string;
  node: Node;
  data: Data;
  getPos: () => number | undefined;
  // set changes a value of the node's data; undefined and "" take it away.
  set: (name: string, value: unknown) => void;
  // put sets all of the data.
  put: (data: Data) => void;
  remove: () => void;
  close: () => void;
}

const forms: Record<string, (props: FormProps) => ReactNode> = {
  image: ImageForm,
  drawing: DrawingForm,
  file: FileForm,
  embed: EmbedForm,
  contentRef: TargetForm,
  mention: TargetForm,
  button: ButtonForm,
  icon: IconForm,
  emoji: EmojiForm,
  inlineImage: InlineImageForm,
};

type Props = { view: EditorView; getPos: () => number | undefined; label: string; close: () => void };

export function NodeForm({ view, getPos, label, close }: Props) {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  const Form = node && forms[node.type.name];
  if (!node || !Form) return null;
  const put = (data: Data) => {
    const at = getPos();
    const now = at === undefined ? null : view.state.doc.nodeAt(at);
    if (at === undefined || now?.type !== node.type) return;
    const tr = view.state.tr.setNodeMarkup(at, undefined, { ...now.attrs, data });
    view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, at)));
    again();
  };
  const data = node.attrs["data"] as Data;
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = data;
    put(value === undefined || value === "" ? rest : { ...rest, [name]: value });
  };
  const remove = () => {
    const at = getPos();
    if (at !== undefined) view.dispatch(removed(view, at));
    close();
  };
  return (
    <div
      className={styles.form}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || event.target.role === "combobox")
          return;
        event.preventDefault();
        close();
      }}
    >
      <Form
        view={view}
        services={around(view).services}
        label={label}
        node={node}
        data={data}
        getPos={getPos}
        set={set}
        put={put}
        remove={remove}
        close={close}
      />
    </div>
  );
}

// removed takes a node away, and the figure with its last picture.
function removed(view: EditorView, at: number) {
  const $at = view.state.doc.resolve(at);
  const alone = $at.parent.type.name === "images" && $at.parent.childCount === 1;
  const from = alone ? $at.before() : at;
  const size = alone ? $at.parent.nodeSize : view.state.doc.nodeAt(at)!.nodeSize;
  return view.state.tr.delete(from, from + size).scrollIntoView();
}
