// How long the trash keeps what is in it, in days.
const kept = 7;
const day = 24 * 60 * 60_000;

// leftIn is how many days are left, the day that has begun included, of what was deleted at a moment.
export function leftIn(deletedAt: string, now = Date.now()): number {
  return Math.max(0, Math.ceil(kept - (now - new Date(deletedAt).getTime()) / day));
}
