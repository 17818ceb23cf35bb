// Answers with what JavaScript itself makes of expressions, for oracle_test.go: one JSON string a line in, one JSON
// value a line out. A first line of input holds the source of an object whose properties the expressions may name.
//
// Answers are ["value", tagged value], ["error", message] and ["outside", reason]; see Tag below for values.
import { createInterface } from "node:readline";

class Outside extends Error {}

const broken = (value) =>
  typeof value === "string" ? !value.isWellFormed() : Array.isArray(value) && value.some(broken);

// $whole passes a value on unless it holds half of a surrogate pair, which texts of UTF-8 cannot.
function $whole(value) {
  if (broken(value)) throw new Outside("half of a surrogate pair");
  return value;
}

// $there passes on what has members in an expression: outside of functions, falsy values have none.
function $there(value) {
  if (!value) throw new Outside("a member of a falsy value");
  if (typeof value === "function") throw new Outside("a member of a function");
  return value;
}

// $key passes on what names a member: in expressions null names none.
function $key(value) {
  if (value === null) throw new Outside("null as the name of a member");
  return value;
}

// $name passes on the name of a new member. Members that say how an object becomes a text or a number are members like
// others in expressions.
function $name(value) {
  if (["toString", "valueOf", "__proto__"].includes(String(value))) throw new Outside("an object's own " + value);
  return value;
}

// $members passes on what an object can take members of: matches have more of them in JavaScript.
function $members(value) {
  if (Array.isArray(value) && "index" in value) throw new Outside("members of a match");
  return value;
}

// $container passes on what has names: in expressions, texts and lists have parts and elements for the operator in.
function $container(value) {
  if (typeof value === "string" || Array.isArray(value)) throw new Outside("in on a text or a list");
  return value;
}

// $list passes on what a list can take in: in expressions, anything else adds nothing.
function $list(value) {
  if (!Array.isArray(value)) throw new Outside("spreading what is no list");
  return value;
}

// $copy keeps methods from changing their list.
function $copy(value) {
  return Array.isArray(value) ? [...value] : value;
}

// Without the flag u, JavaScript matches halves of surrogate pairs, and expressions code points.
const { exec } = RegExp.prototype;
RegExp.prototype.exec = function (text) {
  for (const character of this.unicode ? "" : String(text)) {
    if (character.length > 1) throw new Outside("a surrogate pair and a pattern without the flag u");
  }
  return exec.call(this, text);
};

// How many digits a number beyond 2^53 has in other bases is the engine's choice.
const { toString } = Number.prototype;
Number.prototype.toString = function (base = 10) {
  if (base != 10 && Number.isFinite(+this) && Math.abs(this) >= 2 ** 53)
    throw new Outside("a large number in another base");
  return toString.call(this, base);
};

function tag(value) {
  switch (typeof value) {
    case "undefined":
      return { undefined: true };
    case "number":
      return { number: Object.is(value, -0) ? "-0" : String(value) };
    case "function":
      return { function: true };
    case "object":
      if (value === null) return null;
      if (value instanceof RegExp) return { pattern: String(value) };
      if (Array.isArray(value)) return Array.from(value, tag);
      return { object: Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tag(member)])) };
  }
  return value;
}

const marks = { $whole, $there, $key, $name, $members, $container, $list, $copy };
let names, values;
for await (const line of createInterface({ input: process.stdin })) {
  const source = JSON.parse(line);
  if (!names) {
    const context = new Function(`return ${source}`)();
    names = Object.keys(context);
    values = Object.values(context);
    continue;
  }
  let answer;
  try {
    const run = new Function(...Object.keys(marks), ...names, `return (${source}\n)`);
    answer = ["value", tag($whole(run(...Object.values(marks), ...values)))];
  } catch (error) {
    answer = [error instanceof Outside ? "outside" : "error", String(error.message)];
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
