// The icons of ContentKit, as Lucide draws them.
import {
  Check,
  CircleCheck,
  ExternalLink,
  Eye,
  EyeOff,
  GitBranch,
  Link,
  Lock,
  type LucideIcon,
  Mail,
  Maximize2,
  Pencil,
  Search,
  Settings,
  Star,
  Trash2,
  TriangleAlert,
  X,
} from "lucide-react";

const icons: Record<string, LucideIcon> = {
  close: X,
  edit: Pencil,
  github: GitBranch,
  gitlab: GitBranch,
  maximize: Maximize2,
  email: Mail,
  settings: Settings,
  search: Search,
  delete: Trash2,
  star: Star,
  warning: TriangleAlert,
  link: Link,
  "link-external": ExternalLink,
  eye: Eye,
  "eye-off": EyeOff,
  lock: Lock,
  check: Check,
  "check-circle": CircleCheck,
};

export function Icon({ name }: { name: string }) {
  const Drawing = Object.hasOwn(icons, name) ? icons[name] : undefined;
  return Drawing && <Drawing aria-hidden size={16} />;
}
