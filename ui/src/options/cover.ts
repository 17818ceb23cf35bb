// Where the cover of a page is cut. It is kept as pixels that the picture is moved down: 0 shows its middle, 150 its
// top,
// -150 its bottom. Sites know it in steps of a twentieth.
const reach = 150;

// percentOf is how far down the part that is seen stands, from 0, its top, to 100, its bottom.
export const percentOf = (yPos: number | undefined) =>
  Math.round((50 - (50 * Math.max(-reach, Math.min(reach, yPos ?? 0))) / reach) / 5) * 5;

// yPosOf is what is kept for it.
export const yPosOf = (percent: number) => reach - (2 * reach * Math.max(0, Math.min(100, percent))) / 100;
