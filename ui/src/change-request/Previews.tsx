// Where a change request can be looked at before it is merged: on each site that shows its space, and there as a
// visitor of whom something is known.
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Eye, UserRoundSearch } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "../look/Button";
import { Menu, MenuItem } from "../look/Menu";
import { later } from "../words/later";
import { t } from "../words/words";
import type { ChangeRequest } from "./draft";
import { previewsOf } from "./queries";

const PreviewAs = later(async () => (await import("./PreviewAs")).PreviewAs);

// first is the address of the preview on the oldest of the sites.
export function Previews({ space, request, first }: { space: string; request: ChangeRequest; first: string }) {
  const [looking, setLooking] = useState(false);
  const places = useQuery(previewsOf(space, request.number)).data ?? [];
  const adaptive = places.filter((each) => each.adaptive);
  const nameOf = (place: { title: string; url: string }) => place.title || new URL(place.url).host;
  return (
    <>
      {places.length > 1 ? (
        <Menu
          trigger={
            <Button icon={<Eye aria-hidden />}>
              {t("change.preview")}
              <ChevronDown aria-hidden />
            </Button>
          }
        >
          {places.map((each) => (
            <MenuItem
              key={each.siteSpace}
              icon={<Eye aria-hidden />}
              onClick={() => window.open(each.url, "_blank", "noopener")}
            >
              {nameOf(each)}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        <a href={places[0]?.url ?? first} target="_blank" rel="noopener" className={buttonClass()}>
          <Eye aria-hidden />
          {t("change.preview")}
        </a>
      )}
      {adaptive.length > 0 && (
        <Button icon={<UserRoundSearch aria-hidden />} onClick={() => setLooking(true)}>
          {t("preview.as")}
        </Button>
      )}
      {looking && (
        <PreviewAs
          space={space}
          number={request.number}
          places={adaptive}
          nameOf={nameOf}
          onClose={() => setLooking(false)}
        />
      )}
    </>
  );
}
