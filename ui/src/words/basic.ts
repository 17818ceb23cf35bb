// basic are the first parts of the keys that every screen has. All others come with the screens of spaces.
export const basic = [
  "app",
  "failure",
  "home",
  "inbox",
  "keys",
  "look",
  "nothing",
  "palette",
  "panel",
  "shell",
  "space",
];
