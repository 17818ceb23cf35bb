// The icons of what shows as something else than it is written as, Lucide's.
import { Braces, Newspaper, Radical, Sigma, Sparkles, Split, Workflow, type LucideIcon } from "lucide-react";

export const specialIcons: Record<string, LucideIcon> = {
  math: Sigma,
  "inline-math": Radical,
  mermaid: Workflow,
  updates: Newspaper,
  prompt: Sparkles,
  condition: Split,
  expression: Braces,
};
