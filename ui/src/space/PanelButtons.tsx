// Opens the panels at the right from the header: a button for each, one menu on a phone.
import { PanelRight } from "lucide-react";
import { IconButton } from "../look/Button";
import { Menu, MenuItem } from "../look/Menu";
import { keysOf } from "../look/shortcuts";
import { tablet, useMedia } from "../look/useMedia";
import { t } from "../words/words";
import type { PanelState } from "./usePanel";

export function PanelButtons({ state: { offered, open, show } }: { state: PanelState }) {
  const roomy = useMedia(tablet);
  if (offered.length === 0) return null;
  if (!roomy) {
    const trigger = (
      <IconButton label={t("panel.more")}>
        <PanelRight />
      </IconButton>
    );
    return (
      <Menu trigger={trigger}>
        {offered.map(({ id, title, icon: Icon }) => (
          <MenuItem key={id} icon={<Icon aria-hidden />} onClick={() => show(id)}>
            {t(title)}
          </MenuItem>
        ))}
      </Menu>
    );
  }
  return offered.map(({ id, title, icon: Icon }) => (
    <IconButton
      key={id}
      label={t(title)}
      {...(open?.id === id ? { keys: keysOf("panel") } : {})}
      aria-pressed={open?.id === id}
      onClick={() => show(open?.id === id ? null : id)}
    >
      <Icon />
    </IconButton>
  ));
}
