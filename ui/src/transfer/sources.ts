// Where docs can come from, as people know it, and what each needs: an address or a file.
import {
  BookOpen,
  FileArchive,
  FileCode,
  FileText,
  FileType,
  Folder,
  GitBranch,
  Globe,
  NotebookTabs,
} from "lucide-react";

export const sources = {
  zip: { needs: "file", accept: ".zip", icon: FileArchive },
  folder: { needs: "folder", accept: "", icon: Folder },
  markdown: { needs: "file", accept: ".md,.markdown,.html,.htm", icon: FileCode },
  website: { needs: "address", accept: "", icon: Globe },
  "github-wiki": { needs: "address", accept: "", icon: GitBranch },
  notion: { needs: "file", accept: ".zip", icon: NotebookTabs },
  confluence: { needs: "file", accept: ".zip", icon: BookOpen },
  docx: { needs: "file", accept: ".docx", icon: FileText },
  "google-docs": { needs: "address", accept: "", icon: FileType },
} as const;

export type Source = keyof typeof sources;
export const sourceNames = Object.keys(sources) as Source[];

// said is what the server is told that a file is; the others it finds out from the name and the bytes.
export const said = (source: Source): "notion" | "confluence" | undefined =>
  source === "notion" || source === "confluence" ? source : undefined;

// titleFrom makes a title for what comes from a file or an address.
export function titleFrom(from: string): string {
  let name = from;
  try {
    const { hostname, pathname } = new URL(from);
    name =
      /\/([^/]+?)(\.wiki|\.git|\/wiki)?\/?$/.exec(hostname === "github.com" ? pathname : "")?.[1] ??
      hostname.replace(/^(www|docs)\./, "");
  } catch {
    name = from.replace(/\.\w{2,8}$/, "");
  }
  return name.replace(/[-_]+/g, " ").trim().slice(0, 50);
}
