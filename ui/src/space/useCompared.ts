import { useLocation, useSearch } from "@tanstack/react-router";

// useCompared is the page whose diff is on the screen, undefined on any other screen.
export function useCompared(): string | undefined {
  const diff = useLocation({ select: ({ pathname }) => pathname.endsWith("/diff") });
  const { page }: { page?: string } = useSearch({ strict: false });
  return diff ? page : undefined;
}
