/// <reference types="vite/client" />

// Texts of the program that are stored packed come unpacked.
declare module "*.txt.gz" {
  const text: string;
  export default text;
}
