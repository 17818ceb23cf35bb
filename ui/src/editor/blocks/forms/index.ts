// The forms with the options of blocks, loaded with the first that is opened.
export { CodeForm } from "./CodeForm";
export { ColumnsForm } from "./ColumnsForm";
export { ExpandableForm } from "./ExpandableForm";
export { HintForm } from "./HintForm";
export { ListForm } from "./ListForm";
export { TabForm } from "./TabForm";
export { AlignForm, HeadingForm } from "./TextForms";
