import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Menu, MenuChoice, MenuChoices } from "../look/Menu";
import { t } from "../words/words";
import { choose, type Organization } from "./organization";

// OrganizationPopup is the menu of one's organizations, which opens with it.
export function OrganizationPopup({ trigger, mine, shown }: { trigger: ReactElement; mine: Organization[]; shown: string }) {
  const [open, setOpen] = useState(true);
  const navigate = useNavigate();
  const go = (id: string) => {
    choose(id);
    void navigate({ to: "/orgs/$organization", params: { organization: id } });
  };
  return (
    <Menu trigger={trigger} side="right" align="start" open={open} onOpenChange={setOpen}>
      <MenuChoices label={t("shell.organizations")} value={shown} onChange={go}>
        {mine.map((each) => (
          <MenuChoice key={each.id} value={each.id}>
            {each.title}
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
  );
}
