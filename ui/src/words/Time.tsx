import { ago, exactly } from "./time";

// Time shows how long ago a moment is, and in full when pointed at.
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at)}
    </time>
  );
}
