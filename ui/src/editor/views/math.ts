// Formulas, drawn while their TeX is typed.
import type { Node } from "@tiptap/pm/model";
import type { NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { openForm } from "../forms/open";
import { datum } from "../nodes/kind";
import { patch } from "./boxes";
import { element } from "./dom";
import { drawFormula, type Drawn } from "./katex";
import { Source } from "./source";

// said is what a fault says below a formula, "" when there is none.
export const said = (drawn: Drawn): string =>
  drawn === null ? t("editor.math.unavailable") : drawn && t("editor.math.fault", { fault: drawn });

export const math: NodeViewConstructor = (first, view, getPos) => {
  const drawing = element("div", { class: "math-drawing" });
  const fault = element("p", { class: "fault", role: "status" });
  const dom = element("div", { class: "block-math math-box", contenteditable: "false" }, drawing, fault);
  const source = new Source(view, getPos, t("editor.math.source"), dom, (formula) => patch(view, getPos, { formula }));
  dom.append(source.dom);
  drawing.addEventListener("click", () => view.editable && source.focus());
  const draw = (node: Node) => {
    const formula = datum(node, "formula");
    source.show(formula);
    dom.classList.toggle("is-empty", formula.trim() === "");
    drawing.dataset["placeholder"] = t("editor.math.empty");
    drawFormula(drawing, formula, true, (drawn) => {
      fault.textContent = formula.trim() === "" ? "" : said(drawn);
      fault.hidden = fault.textContent === "";
    });
  };
  draw(first);
  return {
    dom,
    update(node) {
      if (node.type.name !== "math") return false;
      draw(node);
      return true;
    },
    selectNode: () => source.selected(),
    deselectNode: () => source.unselected(),
    stopEvent: (event) => event.target === source.dom,
    ignoreMutation: () => true,
  };
};

export const inlineMath: NodeViewConstructor = (first, view, getPos) => {
  const dom = element("span", { class: "math math-inline" });
  const open = () => openForm(view, getPos, "formula");
  const draw = (node: Node) => {
    const formula = datum(node, "formula");
    dom.classList.toggle("is-empty", formula.trim() === "");
    dom.dataset["placeholder"] = t("editor.math");
    drawFormula(dom, formula, false, (drawn) => {
      const words = formula.trim() === "" ? "" : said(drawn);
      dom.classList.toggle("is-broken", words !== "");
      dom.title = words;
    });
  };
  dom.addEventListener("click", () => view.editable && open());
  dom.addEventListener("editor-open", (event) => {
    event.preventDefault();
    open();
  });
  draw(first);
  return {
    dom,
    update(node) {
      if (node.type.name !== "inlineMath") return false;
      draw(node);
      return true;
    },
    ignoreMutation: () => true,
  };
};
