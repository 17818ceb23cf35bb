// The icons of what can be inserted and of the toolbar, Lucide's.
import {
  Bold, ChevronRight, LayoutGrid, Table2, Code, CodeXml, Columns2, Heading1, Heading2, Heading3, Info, Italic, Keyboard, Link, List, ListChecks, ListOrdered,
  Minus, PanelTop, Pilcrow, Quote, Strikethrough, Waypoints, type LucideIcon,
} from "lucide-react";
import { specialIcons } from "./iconsSpecial";

export const icons: Record<string, LucideIcon> = {
  text: Pilcrow,
  "heading-1": Heading1,
  "heading-2": Heading2,
  "heading-3": Heading3,
  bullets: List,
  numbers: ListOrdered,
  tasks: ListChecks,
  quote: Quote,
  hint: Info,
  code: CodeXml,
  divider: Minus,
  expandable: ChevronRight,
  steps: Waypoints,
  tabs: PanelTop,
  columns: Columns2,
  table: Table2,
  cards: LayoutGrid,
  ...specialIcons,
  bold: Bold,
  italic: Italic,
  strikethrough: Strikethrough,
  inlineCode: Code,
  keyboard: Keyboard,
  link: Link,
};
