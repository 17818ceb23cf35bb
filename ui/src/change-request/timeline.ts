// What has happened to a change request as one list, the oldest first: that it was made, what was written, said and
// reviewed, its status, and how it ended.
import type { Comment } from "../comments/queries";
import type { ChangeRequest } from "./draft";
import type { Event, Review, Revision } from "./queries";

// Moment is one thing in the list. id names it in the address.
export type Moment = { id: string; at: string } & (
  | { kind: "created" | "merged"; who: string }
  | { kind: "event"; event: Event }
  | { kind: "review"; review: Review }
  | { kind: "comment"; comment: Comment }
  | { kind: "written"; who: string; user: string; revisions: Revision[] }
);

type Parts = {
  request: ChangeRequest;
  events: readonly Event[];
  reviews: readonly Review[];
  comments: readonly Comment[];
  revisions: readonly Revision[];
};

// momentsOf puts everything in the order of time. What one person wrote without anything between is one moment.
export function momentsOf({ request, events, reviews, comments, revisions }: Parts): Moment[] {
  const all: Moment[] = [
    { kind: "created", id: "created", at: request.createdAt, who: request.createdBy.displayName },
    ...events.map((event): Moment => ({ kind: "event", id: event.id, at: event.createdAt, event })),
    ...reviews.map((review): Moment => ({ kind: "review", id: review.id, at: review.createdAt, review })),
    ...comments.map((comment): Moment => ({ kind: "comment", id: comment.id, at: comment.postedAt, comment })),
    ...revisions.map((each): Moment => ({
      kind: "written",
      id: each.id,
      at: each.createdAt,
      who: each.author.displayName,
      user: each.author.id,
      revisions: [each],
    })),
  ];
  if (request.mergedAt)
    all.push({ kind: "merged", id: "merged", at: request.mergedAt, who: request.mergedBy?.displayName ?? "" });
  // What has one time stays in the order in which the kinds stand above: a review comes before the comment with its
  // words.
  all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return all.reduce<Moment[]>((list, next) => {
    const last = list.at(-1);
    if (
      last?.kind === "written" &&
      next.kind === "written" &&
      last.user === next.user &&
      plain(last.revisions) &&
      plain(next.revisions)
    ) {
      list[list.length - 1] = { ...last, at: next.at, revisions: [...last.revisions, ...next.revisions] };
    } else list.push(next);
    return list;
  }, []);
}

// Revisions with words of their own, and those that brought main in, stand alone.
const plain = (revisions: readonly Revision[]): boolean =>
  revisions.every((each) => each.type === "edits" && !each.message);
