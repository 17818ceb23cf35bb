// Tests draw single components, which do not wait for their words as screens do.
import { learn } from "../src/words/words";

await learn();
