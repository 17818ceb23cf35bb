// Where a reference leads, as mentions, cards and links show it.
import { t } from "../../words/words";
import type { Ref, Services } from "../services";
import { said } from "./picture";

export interface Lead {
  title: string;
  description?: string;
  // icon is a name of the dialect's, emoji a character.
  icon?: string;
  emoji?: string;
  // missing says that there is no such thing in the space.
  missing: boolean;
  // href opens it, absent where nothing can be opened.
  href?: string;
}

const safe = /^(https?|mailto):/i;

// lead returns what is known of a reference at once. What has to be asked for is given to later.
export function lead(services: Services, ref: Ref | undefined, later: (found: Lead) => void): Lead {
  const page =
    ref?.page && !ref.space
      ? services.page(ref.page)
      : ref?.kind === "anchor" && !ref.page
        ? services.page(services.here)
        : null;
  switch (ref?.kind) {
    case "page":
    case "anchor": {
      if (!page)
        return ref.space
          ? { title: said(ref), missing: false }
          : { title: ref.anchor ? `#${ref.anchor}` : t("editor.ref.missing"), missing: services.here !== "" };
      const href = services.pageAddress(page.id) + (ref.anchor ? `#${ref.anchor}` : "");
      const shown = {
        ...(page.icon ? { icon: page.icon } : {}),
        ...(page.emoji ? { emoji: page.emoji } : {}),
        ...(page.description ? { description: page.description } : {}),
      };
      if (ref.kind === "page") return { title: page.title, ...shown, missing: false, href };
      void services.headings(page.id).then(
        (headings) => {
          const heading = headings.find(({ id }) => id === ref.anchor);
          if (heading) later({ title: heading.title, icon: "hashtag", missing: false, href });
        },
        () => undefined,
      );
      return { title: `${page.title} #${ref.anchor ?? ""}`, ...shown, missing: false, href };
    }
    case "file":
      void services
        .file(ref.file ?? "")
        .then((file) =>
          later(
            file
              ? { title: file.name, icon: "file", missing: false, href: file.address }
              : { title: t("editor.file.missing"), missing: true },
          ),
        );
      return { title: t("editor.raw.file"), icon: "file", missing: false };
    case "user":
      void services.person(ref.user ?? "").then(
        (person) => person && later({ title: person.name, icon: "user", missing: false }),
        () => undefined,
      );
      return { title: t("editor.ref.person"), icon: "user", missing: false };
    case "url":
      return { title: ref.url ?? "", missing: false, ...(safe.test(ref.url ?? "") ? { href: ref.url! } : {}) };
    default:
      return { title: said(ref), missing: false };
  }
}
