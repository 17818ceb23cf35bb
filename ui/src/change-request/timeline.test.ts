import { expect, it } from "vitest";
import type { Comment } from "../comments/queries";
import type { ChangeRequest } from "./draft";
import type { Event, Review, Revision } from "./queries";
import { momentsOf } from "./timeline";

const time = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`;
const ada = { id: "user_ada", displayName: "Ada" };
const grace = { id: "user_grace", displayName: "Grace" };
const request = { createdAt: time(0), createdBy: ada } as ChangeRequest;
const revision = (minute: number, author: typeof ada, more: Partial<Revision> = {}) =>
  ({ id: `r${minute}`, createdAt: time(minute), author, type: "edits", ...more }) as Revision;
const told = (parts: Partial<Parameters<typeof momentsOf>[0]>) =>
  momentsOf({ request, events: [], reviews: [], comments: [], revisions: [], ...parts }).map((each) =>
    each.kind === "written" ? each.revisions.map(({ id }) => id).join("+") : each.id,
  );

it("puts everything in the order of time", () => {
  const events = [{ id: "opened", createdAt: time(3) } as Event];
  const reviews = [{ id: "approved", createdAt: time(5) } as Review];
  const comments = [{ id: "said", postedAt: time(5) } as Comment, { id: "asked", postedAt: time(2) } as Comment];
  const merged = { ...request, mergedAt: time(9), mergedBy: grace } as ChangeRequest;
  expect(told({ request: merged, events, reviews, comments, revisions: [revision(1, ada)] })).toEqual([
    "created",
    "r1",
    "asked",
    "opened",
    "approved",
    "said",
    "merged",
  ]);
});

it("counts together what one person wrote at one go", () => {
  const comments = [{ id: "said", postedAt: time(5) } as Comment];
  const revisions = [
    revision(7, grace),
    revision(6, ada),
    revision(4, ada),
    revision(3, ada, { message: "Say it" }),
    revision(2, ada),
    revision(1, ada),
    revision(8, ada, { type: "update" }),
  ];
  expect(told({ comments, revisions })).toEqual(["created", "r1+r2", "r3", "r4", "said", "r6", "r7", "r8"]);
});
