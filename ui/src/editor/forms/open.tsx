// Opens the form of a block or an inline beside it. Forms are loaded when the first is opened.
import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from "react";
import type { EditorView } from "@tiptap/pm/view";
import { Skeleton } from "../../look/Skeleton";
import { t, type Key } from "../../words/words";
import type { Data } from "../document";
import { around } from "../panels";
import type { Services } from "../services";
import { patch } from "../views/boxes";
import type { GetPos } from "../views/parts";
import styles from "./Forms.module.css";

// FormProps is what a form knows of what it changes. Every change is one of the document at once.
export interface FormProps {
  data: Data;
  change: (changes: Data) => void;
  services: Services;
  view: EditorView;
  getPos: GetPos;
  close: () => void;
}

type Form = { label: Key; body: LazyExoticComponent<ComponentType<FormProps>> };

const form = (label: Key, load: () => Promise<ComponentType<FormProps>>): Form => ({
  label,
  body: lazy(async () => ({ default: await load() })),
});

const forms = {
  formula: form("editor.math", async () => (await import("./FormulaForm")).FormulaForm),
  update: form("editor.updates.one", async () => (await import("./UpdateForm")).UpdateForm),
  prompt: form("editor.prompt", async () => (await import("./PromptForm")).PromptForm),
  condition: form("editor.condition", async () => (await import("./ConditionForm")).ConditionForm),
  expression: form("editor.expression", async () => (await import("./ExpressionForm")).ExpressionForm),
  integration: form("editor.raw.integration", async () => (await import("./IntegrationForm")).IntegrationForm),
  apiOperation: form("editor.api.operation", async () => (await import("./ApiForm")).OperationForm),
  apiSchemas: form("editor.api.schemas", async () => (await import("./ApiForm")).SchemasForm),
  apiWebhook: form("editor.api.webhook", async () => (await import("./ApiForm")).WebhookForm),
  apiDescribed: form("editor.api.operation", async () => (await import("./DescribedForm")).DescribedForm),
  swagger: form("editor.api.operation", async () => (await import("./SwaggerForm")).SwaggerForm),
};

export type FormName = keyof typeof forms;

// openForm opens the form of a name for the node at a position.
export function openForm(view: EditorView, getPos: GetPos, name: FormName): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (!node || !view.editable) return;
  const { panels, services } = around(view);
  const { label, body: Body } = forms[name];
  let last = new DOMRect();
  panels.open({
    label: t(label),
    // The element of a node may be another after a change.
    anchor: () => {
      const at = getPos();
      const dom = at === undefined ? null : view.nodeDOM(at);
      if (dom instanceof HTMLElement && dom.isConnected)
        last = (dom.querySelector("[data-anchor]") ?? dom).getBoundingClientRect();
      return last;
    },
    body: (close) => (
      <div className={styles.form}>
        <Suspense fallback={<Skeleton lines={2} />}>
          <Body
            data={node.attrs["data"] as Data}
            change={(changes) => patch(view, getPos, changes)}
            services={services}
            view={view}
            getPos={getPos}
            close={close}
          />
        </Suspense>
      </div>
    ),
  });
}
