// What can be done with a block: the controls that its script gives it, and what the editor adds.
import { Ellipsis, SlidersHorizontal } from "lucide-react";
import { IconButton } from "../look/Button";
import { Menu, MenuItem } from "../look/Menu";
import { t } from "../words/words";
import { useKit } from "./context";
import type { Element } from "./elements";
import { Icon } from "./Icon";
import styles from "./Kit.module.css";

export function Tools({ controls, onProperties }: { controls: Element[]; onProperties: (() => void) | null }) {
  const { act } = useKit();
  if (controls.length === 0 && !onProperties) return null;
  return (
    <div className={styles.tools}>
      <Menu
        trigger={
          <IconButton label={t("kit.more")}>
            <Ellipsis />
          </IconButton>
        }
      >
        {controls.map(({ label, icon, press, confirm }, i) => (
          <MenuItem key={i} icon={<Icon name={icon} />} disabled={!press} onClick={() => act(press, confirm)}>
            {label}
          </MenuItem>
        ))}
        {onProperties && (
          <MenuItem icon={<SlidersHorizontal size={16} />} onClick={onProperties}>
            {t("kit.properties")}
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}
