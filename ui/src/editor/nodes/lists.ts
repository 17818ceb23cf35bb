// Lists and their items. An item with a box is a node of its own here, so that its box follows it through lists.
import { attributes, container, stored, written, type Block } from "./kind";

export const ordered = container("list-ordered", "listOrdered", {
  content: "listItem+",
  group: "block list",
  parseDOM: [
    {
      tag: "ol",
      getAttrs: (dom) => {
        const start = (dom as HTMLOListElement).start;
        return { data: start > 1 ? { start } : {} };
      },
    },
  ],
  toDOM: (node) => {
    const start = (node.attrs["data"] as { start?: number }).start;
    return ["ol", { class: "list list-ordered", ...(start === undefined ? {} : { start: String(start) }) }, 0];
  },
});

export const unordered = container("list-unordered", "listUnordered", {
  content: "listItem+",
  group: "block list",
  parseDOM: [{ tag: "ul" }],
  toDOM: () => ["ul", { class: "list list-unordered" }, 0],
});

export const tasks = container("list-tasks", "listTasks", {
  content: "(taskItem | listItem)+",
  group: "block list",
  parseDOM: [{ tag: "ul.list-tasks, ul[data-type=taskList], ul.contains-task-list", priority: 60 }],
  toDOM: () => ["ul", { class: "list list-tasks" }, 0],
});

export const item: Block = {
  ...container("list-item", "listItem", {
    content: "block+",
    parseDOM: [{ tag: "li" }],
    toDOM: () => ["li", 0],
  }),
  read: (json, reader) => {
    const name = json.data && "checked" in json.data ? "taskItem" : "listItem";
    return reader.schema.nodes[name]!.createChecked(attributes(json), reader.blocks(json.nodes));
  },
};

// Its boxes are drawn by a view, since they answer to clicks.
export const task: Block = {
  type: "list-item",
  name: "taskItem",
  spec: {
    content: "block+",
    defining: true,
    attrs: { ...stored, data: { default: { checked: false } } },
    parseDOM: [
      {
        tag: "li.task, li[data-type=taskItem], li.task-list-item",
        priority: 60,
        getAttrs: (dom) => ({ data: { checked: isTicked(dom) } }),
      },
    ],
    toDOM: (node) => {
      const checked = (node.attrs["data"] as { checked?: boolean }).checked === true;
      const box = { class: "task-box", type: "checkbox", disabled: "", ...(checked ? { checked: "" } : {}) };
      return ["li", { class: checked ? "task is-done" : "task" }, ["input", box], ["div", { class: "task-body" }, 0]];
    },
  },
  read: item.read,
  write: (node, writer) => written("list-item", node, { nodes: writer.blocks(node) }),
};

function isTicked(dom: HTMLElement): boolean {
  return (
    dom.dataset["checked"] === "true" || dom.querySelector("input[type=checkbox]")?.hasAttribute("checked") === true
  );
}
