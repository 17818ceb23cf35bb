// What the palette knows without a search: commands, and the spaces, change requests, sites and people of an
// organization.
import { useQuery } from "@tanstack/react-query";
import { changeRequestsOf, spacesOf } from "../home/queries";
import { myOrganizations } from "../shell/organization";
import { t } from "../words/words";
import type { Entry } from "./entries";
import { peopleOf, sitesOf } from "./queries";

export function useEntries(organization: string): Entry[] {
  const spaces = useQuery(spacesOf(organization)).data ?? [];
  const open = useQuery(changeRequestsOf(organization, { status: "open" })).data ?? [];
  const drafts = useQuery(changeRequestsOf(organization, { status: "draft" })).data ?? [];
  const sites = useQuery(sitesOf(organization)).data ?? [];
  const people = useQuery(peopleOf(organization)).data ?? [];
  const titles = new Map(spaces.map((space) => [space.id, space.title]));
  const may = useQuery(myOrganizations).data?.find((each) => each.id === organization)?.permissions;
  const at = `/orgs/${organization}`;
  const commands: Entry[] = [
    { id: "home", kind: "command", title: t("home.title"), words: t("palette.home.words"), to: "/" },
    { id: "inbox", kind: "command", title: t("inbox.title"), words: t("palette.inbox.words"), to: "/inbox" },
    ...(may?.listMembers
      ? [
          {
            id: "people",
            kind: "command",
            title: t("shell.people"),
            words: t("palette.people.words"),
            to: `${at}/people`,
          } satisfies Entry,
        ]
      : []),
    ...(may?.admin
      ? [
          {
            id: "settings",
            kind: "command",
            title: t("shell.settings"),
            words: t("palette.settings.words"),
            to: `${at}/settings`,
          } satisfies Entry,
        ]
      : []),
    ...(may?.createContent
      ? [
          {
            id: "trash",
            kind: "command",
            title: t("home.trash"),
            words: t("palette.trash.words"),
            to: `${at}/trash`,
          } satisfies Entry,
        ]
      : []),
    { id: "account", kind: "command", title: t("shell.account"), words: t("palette.account.words"), href: "/account" },
  ];
  return [
    ...commands,
    ...spaces.map((space): Entry => ({ id: space.id, kind: "space", title: space.title, to: `/spaces/${space.id}` })),
    ...[...open, ...drafts].map((request): Entry => ({
      id: request.id,
      kind: "change",
      title: `#${request.number} ${request.subject || t("space.untitledChange")}`,
      about: titles.get(request.space) ?? "",
      to: `/spaces/${request.space}/changes/${request.number}`,
    })),
    ...sites
      .filter((site) => site.urls.published)
      .map((site): Entry => ({ id: site.id, kind: "site", title: site.title, href: site.urls.published! })),
    ...people.map((member): Entry => ({
      id: member.id,
      kind: "person",
      title: member.user.displayName,
      ...(member.user.email
        ? { about: member.user.email, words: member.user.email, href: `mailto:${member.user.email}` }
        : {}),
    })),
  ];
}
