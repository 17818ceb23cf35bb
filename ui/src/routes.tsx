// Every address of the app and the screen that it shows, in the order of paths. They are those that `urls.app` of the
// API names. Screens are loaded when they are first opened.
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { validSettings } from "./organization/tabs";
import { validMode } from "./page/mode";
import { validTab } from "./people/tabs";
import { Broken, NotFound } from "./shell/Nothing";
import { Shell } from "./shell/Shell";
import { validLook } from "./sites/look/parts";
import { validStep } from "./start/step";
import { learn } from "./words/words";
import { validPanel } from "./space/panelNames";

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Shell });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./home/Home"), "Home"),
});
const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  component: lazyRouteComponent(() => import("./inbox/Inbox"), "Inbox"),
  validateSearch: (search: Record<string, unknown>): { show?: "all" } => (search.show === "all" ? { show: "all" } : {}),
});
const collection = createRoute({
  getParentRoute: () => root,
  path: "/collections/$collection",
  component: lazyRouteComponent(() => import("./home/CollectionScreen"), "CollectionScreen"),
});
const organization = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization",
  component: lazyRouteComponent(() => import("./home/Home"), "Home"),
});

const trash = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/trash",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./places/Trash"), "Trash"),
});
const people = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/people",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./people/People"), "People"),
  validateSearch: validTab,
});
const start = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/start",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./start/Start"), "Start"),
  validateSearch: validStep,
});
const organizationSettings = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/settings",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./organization/OrganizationSettings"), "OrganizationSettings"),
  validateSearch: validSettings,
});
const sites = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/sites",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./sites/Sites"), "Sites"),
});
const site = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/sites/$site",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./sites/SiteFrame"), "SiteFrame"),
});
const siteStart = createRoute({
  getParentRoute: () => site,
  path: "/",
  component: lazyRouteComponent(() => import("./sites/SiteScreen"), "SiteScreen"),
});
const siteStructure = createRoute({
  getParentRoute: () => site,
  path: "/structure",
  component: lazyRouteComponent(() => import("./sites/structure/Structure"), "Structure"),
});
const siteReaders = createRoute({
  getParentRoute: () => site,
  path: "/readers",
  component: lazyRouteComponent(() => import("./sites/readers/Readers"), "Readers"),
});
const siteLook = createRoute({
  getParentRoute: () => site,
  path: "/look",
  component: lazyRouteComponent(() => import("./sites/look/Look"), "Look"),
  validateSearch: validLook,
});
const siteInsights = createRoute({
  getParentRoute: () => site,
  path: "/insights",
  component: lazyRouteComponent(() => import("./sites/insights/Insights"), "Insights"),
});
// Integrations lead to where adaptive content is switched on by this address.
const siteSettings = createRoute({
  getParentRoute: () => site,
  path: "/settings/$",
  beforeLoad: ({ params: { organization, site, _splat } }) => {
    const params = { organization, site };
    if (_splat === "audience") throw redirect({ to: "/orgs/$organization/sites/$site/readers", params, replace: true });
    throw redirect({ to: "/orgs/$organization/sites/$site", params, replace: true });
  },
});
const specs = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/openapi",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./openapi/Specs"), "Specs"),
});
const spec = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/openapi/$slug",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./openapi/SpecScreen"), "SpecScreen"),
});
const integrations = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/integrations",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./integrations/Integrations"), "Integrations"),
});
const integration = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/integrations/$integration",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./integrations/IntegrationScreen"), "IntegrationScreen"),
});
const integrationEvents = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$organization/integrations/$integration/events",
  beforeLoad: learn,
  validateSearch: (search: Record<string, unknown>): { type?: string; status?: "success" | "failed" } => ({
    ...(typeof search["type"] === "string" && search["type"] ? { type: search["type"] } : {}),
    ...(search["status"] === "success" || search["status"] === "failed" ? { status: search["status"] } : {}),
  }),
  component: lazyRouteComponent(() => import("./integrations/Events"), "Events"),
});
const signedIn = createRoute({
  getParentRoute: () => root,
  path: "/signed-in",
  component: lazyRouteComponent(() => import("./shell/SignedIn"), "SignedIn"),
});

// Screens of a space stand in its frame, which has the pages at the side. The panel that is open stays from screen to
// screen.
const space = createRoute({
  getParentRoute: () => root,
  path: "/spaces/$space",
  beforeLoad: learn,
  component: lazyRouteComponent(() => import("./space/SpaceFrame"), "SpaceScreen"),
  validateSearch: validPanel,
  search: { middlewares: [retainSearchParams(["panel"])] },
});
const spaceStart = createRoute({
  getParentRoute: () => space,
  path: "/",
  component: lazyRouteComponent(() => import("./space/FirstPage"), "FirstPage"),
});
const pageByPath = createRoute({
  getParentRoute: () => space,
  path: "$",
  component: lazyRouteComponent(() => import("./space/PageByPath"), "PageByPath"),
});
const files = createRoute({
  getParentRoute: () => space,
  path: "/files",
  component: lazyRouteComponent(() => import("./files/Files"), "Files"),
});
const changedFiles = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/files",
  component: lazyRouteComponent(() => import("./files/Files"), "Files"),
});
const reusables = createRoute({
  getParentRoute: () => space,
  path: "/reusable-contents",
  component: lazyRouteComponent(() => import("./library/Reusables"), "Reusables"),
});
const changedReusables = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/reusable-contents",
  component: lazyRouteComponent(() => import("./library/Reusables"), "Reusables"),
});
const variables = createRoute({
  getParentRoute: () => space,
  path: "/variables",
  component: lazyRouteComponent(() => import("./library/SpaceVariables"), "SpaceVariables"),
});
const changedVariables = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/variables",
  component: lazyRouteComponent(() => import("./library/SpaceVariables"), "SpaceVariables"),
});
const links = createRoute({
  getParentRoute: () => space,
  path: "/links",
  component: lazyRouteComponent(() => import("./library/Links"), "Links"),
});
const changedLinks = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/links",
  component: lazyRouteComponent(() => import("./library/Links"), "Links"),
});
const spaceSpecs = createRoute({
  getParentRoute: () => space,
  path: "/openapi",
  component: lazyRouteComponent(() => import("./openapi/SpaceSpecs"), "SpaceSpecs"),
});
const changedSpecs = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/openapi",
  component: lazyRouteComponent(() => import("./openapi/SpaceSpecs"), "SpaceSpecs"),
});
const translations = createRoute({
  getParentRoute: () => space,
  path: "/translations",
  component: lazyRouteComponent(() => import("./translations/Translations"), "Translations"),
});
const translationLanguage = createRoute({
  getParentRoute: () => space,
  path: "/translations/$language",
  component: lazyRouteComponent(() => import("./translations/LanguageScreen"), "LanguageScreen"),
});
const spaceIntegrations = createRoute({
  getParentRoute: () => space,
  path: "/integrations",
  component: lazyRouteComponent(() => import("./integrations/SpaceIntegrations"), "SpaceIntegrations"),
});
const settings = createRoute({
  getParentRoute: () => space,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/SpaceSettings"), "SpaceSettings"),
});
const history = createRoute({
  getParentRoute: () => space,
  path: "/history",
  component: lazyRouteComponent(() => import("./history/History"), "History"),
});
const revision = createRoute({
  getParentRoute: () => space,
  path: "/revisions/$revision",
  component: lazyRouteComponent(() => import("./history/RevisionScreen"), "RevisionScreen"),
});
const changes = createRoute({
  getParentRoute: () => space,
  path: "/changes",
  component: lazyRouteComponent(() => import("./change-request/ChangeRequests"), "ChangeRequests"),
});
const change = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number",
  // A comment or a moment of it stands in the conversation.
  beforeLoad: ({ search, params, location: { hash } }) => {
    const { comment } = search as { comment?: string };
    if (comment || hash)
      throw redirect({
        to: "/spaces/$space/changes/$number/conversation",
        params,
        search: { comment } as never,
        hash,
        replace: true,
      });
  },
  component: lazyRouteComponent(() => import("./change-request/ChangeRequestScreen"), "ChangeRequestScreen"),
});
const diff = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/diff",
  component: lazyRouteComponent(() => import("./change-request/Diff"), "Diff"),
});
const conversation = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/conversation",
  component: lazyRouteComponent(() => import("./change-request/ChangeRequestScreen"), "Conversation"),
});
const commits = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/commits",
  component: lazyRouteComponent(() => import("./change-request/Commits"), "Commits"),
});
const conflicts = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/conflicts",
  component: lazyRouteComponent(() => import("./change-request/conflicts/Conflicts"), "Conflicts"),
});
const changedPage = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/pages/$page",
  validateSearch: validMode,
  component: lazyRouteComponent(() => import("./page/EditPage"), "EditPage"),
});
const page = createRoute({
  getParentRoute: () => space,
  path: "/pages/$page",
  component: lazyRouteComponent(() => import("./space/Reading"), "Reading"),
});

const mainPage = createRoute({
  getParentRoute: () => space,
  path: "/pages/$page/edit",
  validateSearch: validMode,
  component: lazyRouteComponent(() => import("./page/EditPage"), "EditPage"),
});

const ofChange = [
  changes,
  change,
  diff,
  conversation,
  commits,
  conflicts,
  changedPage,
  changedFiles,
  changedReusables,
  changedVariables,
  changedLinks,
  changedSpecs,
] as const;
const ofSpace = [
  spaceStart,
  ...ofChange,
  page,
  mainPage,
  files,
  reusables,
  variables,
  links,
  spaceSpecs,
  translations,
  translationLanguage,
  spaceIntegrations,
  history,
  revision,
  settings,
  pageByPath,
] as const;
const tree = root.addChildren([
  sites,
  site.addChildren([siteStart, siteStructure, siteReaders, siteLook, siteInsights, siteSettings]),
  specs,
  spec,
  integrations,
  integration,
  integrationEvents,
  home,
  inbox,
  collection,
  organization,
  people,
  organizationSettings,
  start,
  trash,
  signedIn,
  space.addChildren(ofSpace),
]);

// makeRouter returns the router of the app below /app.
export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: "/app",
    context: { queries },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Broken,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
