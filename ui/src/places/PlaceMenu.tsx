import { Link } from "@tanstack/react-router";
import {
  ArrowDown,
  ArrowUp,
  CopyPlus,
  FolderInput,
  FolderPlus,
  Globe,
  KeyRound,
  NotebookText,
  Pencil,
  Trash2,
} from "lucide-react";
import { useRef } from "react";
import { stepped } from "../home/moves";
import { about, type Place } from "../home/places";
import { MenuAt, MenuItem, MenuSeparator } from "../look/Menu";
import { keysOf } from "../look/shortcuts";
import { t } from "../words/words";
import type { Doing } from "./PlaceActions";
import { usePlaceChange } from "./usePlaceChange";

type Props = {
  organization: string;
  place: Place;
  roots: Place[];
  anchor: HTMLElement;
  onStep: (way: "up" | "down") => void;
  onDo: (doing: Doing) => void;
  onClose: () => void;
};

// PlaceMenu is what can be done with a space or a collection, as far as the person may.
export function PlaceMenu({ organization, place, roots, anchor, onStep, onDo, onClose }: Props) {
  // What was chosen goes on when the menu has closed.
  const chosen = useRef(false);
  const { duplicate } = usePlaceChange(organization);
  const { id, title, permissions } = about(place);
  const choose = (doing: Doing) => () => {
    chosen.current = true;
    onDo(doing);
  };
  return (
    <MenuAt
      label={t("place.menu", { title })}
      anchor={anchor}
      onClose={() => chosen.current || onClose()}
      finalFocus={() => (chosen.current ? null : anchor)}
    >
      {place.kind === "collection" && place.collection.permissions.create && (
        <>
          <MenuItem icon={<NotebookText />} onClick={choose("newSpace")}>
            {t("home.newSpace")}
          </MenuItem>
          <MenuItem icon={<FolderPlus />} onClick={choose("newCollection")}>
            {t("home.newCollection")}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      {permissions.manage && (
        <>
          <MenuItem icon={<Pencil />} keys={keysOf("renamePage")} onClick={choose("rename")}>
            {t(place.kind === "space" ? "place.rename.space" : "place.rename.collection")}
          </MenuItem>
          {place.kind === "space" && (
            <MenuItem icon={<CopyPlus />} onClick={() => duplicate.mutate(id)}>
              {t("tree.duplicate")}
            </MenuItem>
          )}
          {place.kind === "space" && !place.space.urls.published && (
            <MenuItem
              icon={<Globe />}
              render={
                <Link
                  to="/orgs/$organization/start"
                  params={{ organization }}
                  search={{ with: "publish", space: id }}
                />
              }
            >
              {t("publish.go")}
            </MenuItem>
          )}
          <MenuItem
            icon={<ArrowUp />}
            keys={keysOf("pageUp")}
            disabled={!stepped(roots, id, "up")}
            onClick={() => onStep("up")}
          >
            {t("blocks.up")}
          </MenuItem>
          <MenuItem
            icon={<ArrowDown />}
            keys={keysOf("pageDown")}
            disabled={!stepped(roots, id, "down")}
            onClick={() => onStep("down")}
          >
            {t("blocks.down")}
          </MenuItem>
          <MenuItem icon={<FolderInput />} onClick={choose("move")}>
            {t("place.move")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<KeyRound />} onClick={choose("access")}>
        {t("access.people")}
      </MenuItem>
      {permissions.admin && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} keys={keysOf("deletePage")} onClick={choose("delete")}>
            {t(place.kind === "space" ? "place.delete.space" : "place.delete.collection")}
          </MenuItem>
        </>
      )}
    </MenuAt>
  );
}
