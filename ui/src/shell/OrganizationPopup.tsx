import { Link, useNavigate } from "@tanstack/react-router";
import { Blocks, FileBraces, Globe, Settings, UsersRound } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuSeparator } from "../look/Menu";
import { t } from "../words/words";
import { choose, type Organization } from "./organization";

// OrganizationPopup is the menu of one's organizations, which opens with it.
export function OrganizationPopup({
  trigger,
  mine,
  shown,
}: {
  trigger: ReactElement;
  mine: Organization[];
  shown: string;
}) {
  const [open, setOpen] = useState(true);
  const organization = mine.find((each) => each.id === shown);
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
      {organization && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Globe />} render={<Link to="/orgs/$organization/sites" params={{ organization: shown }} />}>
            {t("shell.sites")}
          </MenuItem>
          {organization.permissions.listMembers && (
            <MenuItem
              icon={<UsersRound />}
              render={<Link to="/orgs/$organization/people" params={{ organization: shown }} />}
            >
              {t("shell.people")}
            </MenuItem>
          )}
          <MenuItem
            icon={<FileBraces />}
            render={<Link to="/orgs/$organization/openapi" params={{ organization: shown }} />}
          >
            {t("shell.openapi")}
          </MenuItem>
          {organization.permissions.listIntegrations && (
            <MenuItem
              icon={<Blocks />}
              render={<Link to="/orgs/$organization/integrations" params={{ organization: shown }} />}
            >
              {t("shell.integrations")}
            </MenuItem>
          )}
          {organization.permissions.admin && (
            <MenuItem
              icon={<Settings />}
              render={<Link to="/orgs/$organization/settings" params={{ organization: shown }} />}
            >
              {t("shell.settings")}
            </MenuItem>
          )}
        </>
      )}
    </Menu>
  );
}
