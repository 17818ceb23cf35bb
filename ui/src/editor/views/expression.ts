// Expressions in a line: the value that readers get, as far as it does not depend on them.
import type { Node } from "@tiptap/pm/model";
import type { NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { openForm } from "../forms/open";
import { nameOf } from "../meaning";
import { datum } from "../nodes/kind";
import { around } from "../panels";
import { element } from "./dom";

// How long it waits after a key before it asks for the value.
const pause = 400;

export const expression: NodeViewConstructor = (first, view, getPos) => {
  const dom = element("span", { class: "expression-chip" });
  const open = () => openForm(view, getPos, "expression");
  let shown: string | null = null;
  let timer = 0;
  const say = (text: string, kind: string, title: string) => {
    dom.textContent = text;
    dom.dataset["kind"] = kind;
    dom.title = title;
  };
  const ask = (source: string) => {
    around(view)
      .services.evaluate(source)
      .then(
        (value) => {
          if (shown !== source || !value) return;
          if (value.fault) say(source, "fault", value.fault);
          else if (value.visitor)
            say(
              /^visitor\.claims\.(unsigned\.)?\w+$/.test(source.trim()) ? nameOf(source.trim()) : source,
              "visitor",
              t("editor.expression.visitor"),
            );
          else
            say(
              value.value || source,
              value.value ? "value" : "fault",
              value.value ? source : t("editor.expression.nothing"),
            );
        },
        () => undefined,
      );
  };
  const draw = (node: Node) => {
    const source = datum(node, "expression");
    if (shown === source) return;
    const fresh = shown === null;
    shown = source;
    clearTimeout(timer);
    if (source.trim() === "") return say(t("editor.expression"), "empty", "");
    if (fresh) say(source, "value", source);
    timer = window.setTimeout(() => ask(source), fresh ? 0 : pause);
  };
  dom.addEventListener("click", open);
  dom.addEventListener("editor-open", (event) => {
    event.preventDefault();
    open();
  });
  draw(first);
  return {
    dom,
    update(node) {
      if (node.type.name !== "expression") return false;
      draw(node);
      return true;
    },
    destroy: () => clearTimeout(timer),
    ignoreMutation: () => true,
  };
};
