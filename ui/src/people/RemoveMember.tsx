import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { organizations } from "../api/queries";
import { me } from "../change-request/draft";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import styles from "./People.module.css";
import { type Member, write } from "./queries";

type Props = { organization: Organization; member: Member; onClose: () => void };

// RemoveMember asks before somebody is removed, or leaves, and says what becomes of what they wrote and had.
export function RemoveMember({ organization, member, onClose }: Props) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const cancel = useRef<HTMLButtonElement>(null);
  const own = useQuery(me).data?.id === member.user.id;
  const name = member.user.displayName;
  const remove = useMutation({
    mutationFn: () => write.remove(organization.id, member.user.id),
    onSuccess: async () => {
      if (own) {
        await navigate({ to: "/" });
        return queries.invalidateQueries({ queryKey: organizations.all });
      }
      onClose();
      return queries.invalidateQueries({ queryKey: organizations.people(organization.id) });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={own ? t("member.leave.title", { organization: organization.title }) : t("member.remove.title", { name })}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t("look.cancel")}
          </Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {own ? t("member.leave") : t("member.remove.go")}
          </Button>
        </>
      }
    >
      <ul className={styles.bullets}>
        <li>{t("member.remove.content")}</li>
        <li>{t("member.remove.access")}</li>
        <li>{t("member.remove.back")}</li>
      </ul>
      {remove.isError && <Failed failure={remove.error} />}
    </Dialog>
  );
}
