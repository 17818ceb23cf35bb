// Lists come in pieces; a tree or a menu needs the whole.
import { taken } from "./client";

type Piece<T> = { items: T[] | null; next?: { page: string } };
type Answer<T> = Promise<{ data?: Piece<T>; error?: unknown; response: Response }>;

// all asks for the pieces of a list one after the other. ask gets what names a piece, nothing for the first.
export async function all<T>(ask: (piece: { page?: string; limit: number }) => Answer<T>): Promise<T[]> {
  const items: T[] = [];
  for (let page: string | undefined; ; ) {
    const piece = await taken(ask({ limit: 1000, ...(page ? { page } : {}) }));
    items.push(...(piece.items ?? []));
    if (!piece.next) return items;
    page = piece.next.page;
  }
}
