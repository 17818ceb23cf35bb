// #region hoot
export const hoot = 'hoo'
// #endregion hoot
export const rest = 1
