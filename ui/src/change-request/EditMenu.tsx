// "Edit" works in a draft of one's own. Beside it one may choose another change request that is under way, a new one,
// or main itself where it takes direct writes.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, Globe, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../look/Menu";
import { useShortcut } from "../shell/useShortcut";
import { t } from "../words/words";
import { newDraft, startDraft } from "./draft";
import styles from "./EditMenu.module.css";
import { openRequests } from "./queries";

// direct says that the space takes writes without a change request.
export function EditMenu({ space, page, direct }: { space: string; page: string; direct: boolean }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const requests = useQuery({ ...openRequests(space), enabled: open });
  const edit = useMutation({
    mutationFn: async (how: "draft" | "new" | number) =>
      typeof how === "number" ? how : (await (how === "new" ? newDraft : startDraft)(queries, space)).number,
    onSuccess: (number) =>
      navigate({ to: "/spaces/$space/changes/$number/pages/$page", params: { space, number: String(number), page } }),
  });
  useShortcut("edit", edit.isPending ? undefined : () => edit.mutate("draft"));
  return (
    <span className={styles.both}>
      <Button kind="primary" icon={<Pencil />} busy={edit.isPending} onClick={() => edit.mutate("draft")}>
        {t("space.edit")}
      </Button>
      <Menu
        open={open}
        onOpenChange={setOpen}
        trigger={
          <IconButton label={t("edit.where")} disabled={edit.isPending}>
            <ChevronDown />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil />} onClick={() => edit.mutate("draft")}>
          {t("edit.inDraft")}
        </MenuItem>
        <MenuItem icon={<Plus />} onClick={() => edit.mutate("new")}>
          {t("edit.inNew")}
        </MenuItem>
        {direct && (
          <>
            <MenuSeparator />
            <MenuItem
              icon={<Globe />}
              onClick={() => void navigate({ to: "/spaces/$space/pages/$page/edit", params: { space, page } })}
            >
              {t("edit.onMain")}
            </MenuItem>
          </>
        )}
        {requests.data && requests.data.length > 0 && (
          <>
            <MenuSeparator />
            <MenuGroup label={t("edit.inOther")}>
              {requests.data.map((each) => (
                <MenuItem key={each.id} onClick={() => edit.mutate(each.number)}>
                  #{each.number} {each.subject || t("space.untitledChange")}
                </MenuItem>
              ))}
            </MenuGroup>
          </>
        )}
      </Menu>
      {edit.isError && <Failed failure={edit.error} />}
    </span>
  );
}
