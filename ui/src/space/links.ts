// Where a link in a page leads within the app: the address, or "" when it leads elsewhere or stays on the page. Within
// a change request, pages of the same space stay in it.
export function within(href: string, space: string, number: string | undefined, here = location): string {
  const to = new URL(href, here.href);
  if (to.origin !== here.origin || !/^\/app(\/|$)/.test(to.pathname)) return "";
  if (to.pathname === here.pathname && to.hash) return "";
  const own = `/app/spaces/${space}/pages/`;
  const path =
    number !== undefined && to.pathname.startsWith(own)
      ? to.pathname.replace(own, `/app/spaces/${space}/changes/${number}/pages/`)
      : to.pathname;
  return path + to.search + to.hash;
}
