// The icons of what shows as something else than it is written as, Lucide's.
import {
  Boxes,
  Braces,
  Newspaper,
  Radical,
  Sigma,
  Sparkles,
  Split,
  Repeat2,
  StickyNote,
  Waypoints,
  Webhook,
  Workflow,
  type LucideIcon,
} from "lucide-react";

export const specialIcons: Record<string, LucideIcon> = {
  math: Sigma,
  "inline-math": Radical,
  mermaid: Workflow,
  updates: Newspaper,
  prompt: Sparkles,
  condition: Split,
  expression: Braces,
  reusable: Repeat2,
  "api-operation": Waypoints,
  "api-schemas": Boxes,
  "api-webhook": Webhook,
  note: StickyNote,
};
