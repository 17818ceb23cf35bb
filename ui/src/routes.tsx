// Every address of the app and the screen that it shows, in the order of paths. They are those that `urls.app` of the
// API names. Screens are loaded when they are first opened.
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Shell } from "./shell/Shell";

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Shell });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./home/Home"), "Home"),
});

const tree = root.addChildren([home]);

// makeRouter returns the router of the app below /app.
export function makeRouter(queries: QueryClient) {
  return createRouter({ routeTree: tree, basepath: "/app", context: { queries }, defaultPreload: "intent", scrollRestoration: true });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
