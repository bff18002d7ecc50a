/** An escape that stands for a character: a code in hexadecimal or octal, a control, or any punctuation of ASCII. */
const character = String.raw`\\(?:x[\dA-Fa-f]{2}|x\{0*(?:10|[\dA-Fa-f])?[\dA-Fa-f]{1,4}\}|0[0-7]{0,2}|[1-7][0-7]{1,2}|[aftnrv]|(?![A-Za-z0-9])[\x00-\x7f])`;
/** An escape that stands for a class; `name` is that of a class of Unicode. */
const shorthand = String.raw`\\(?:[dDsSwW]|[pP](?:[CLMNPSZ]|\{\^?(?<name>\w+)\}))`;
const named = String.raw`\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]`;
const single = String.raw`(?:${character}|(?!\[:\^?\w+:\])[^\\])`;

/** The next part outside a class: a quotation, an escape, or any other text. */
const part = new RegExp(String.raw`\\Q([^]*?)(?:\\E|$)|${character}|${shorthand}|\\[AbBz]|[^\\[]+`, 'y');
/** The next part of a class. */
const member = new RegExp(String.raw`${named}|${shorthand}|(${single})(?:-(?!\])(${single})|(?!-[^\]]))`, 'uy');
const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** RE2's own limit for the numbers of `x{n,m}`, and for the product of those that nest. */
const repetitionsMax = 1_000;

/**
 * Allowed text after `(?`: a group without capture, a name, or flags. Everything else is a lookaround, which RE2 does
 * not support.
 */
const groupStart = /^(?::|P?<\w+>|[imsU]*(?:-[imsU]+)?:)/;
const flags = /\(\?[imsU]*(?:-[imsU]+)?\)/g;

/** Extent of a pattern for RE2, with its repetitions written out. */
interface Extent {
  /** The number of its characters, classes and operators. */
  readonly size: number;
  /** The most instructions of its program: a group without a character has some, too. */
  readonly instructions: number;
  /** The repetitions of the innermost element. */
  readonly repetitions: number;
}

/**
 * Returns the extent of a regular expression in the syntax of RE2, which the SDKs match with: a match takes time in
 * proportion to its instructions. Undefined for what is none, such as one with lookaround or backreferences. The check is
 * one of syntax alone; a compiler of RE2 would double the size of every function.
 * Source: https://github.com/google/re2/wiki/Syntax
 */
export function re2Extent(pattern: string): Extent | undefined {
  const parts = plainOf(pattern);
  if (parts === undefined) return undefined;
  const plain = parts.replace(flags, '');
  const names = Array.from(plain.matchAll(/\(\?P?<(\w+)>/g), ([, name]) => name);
  if (new Set(names).size < names.length) return undefined;
  const groups = plain.split('(?').slice(1);
  if (!groups.every((group) => groupStart.test(group))) return undefined;
  // RE2, unlike JavaScript, lets anchors be repeated.
  const bare = plain.replace(/\(\?[^:>]*[:>]/g, '(').replace(/[$^]/g, 'p');
  if (!isPattern(bare)) return undefined;
  const extent = extentOf(bare);
  return extent.repetitions > repetitionsMax ? undefined : extent;
}

/** The extent of an empty pattern: its program has a beginning, an end, and what stands between them. */
const nothing: Extent = { size: 0, instructions: 3, repetitions: 1 };

/** The most instructions of a group besides its content, and of an operator or another element. */
const instructionsOf = { group: 3, '*': 2, '|': 2, other: 1 };

/** Returns the extent of a pattern whose groups all end. */
function extentOf(bare: string): Extent {
  const outer: Extent[] = [];
  let whole = nothing;
  let last = whole;
  const append = (part: Extent) => {
    last = part;
    whole = {
      size: whole.size + part.size,
      instructions: whole.instructions + part.instructions,
      repetitions: Math.max(whole.repetitions, part.repetitions),
    };
  };
  for (const [token, least, most] of bare.matchAll(/\{(\d+)(?:,(\d*))?\}|./gs)) {
    if (token === '(') {
      outer.push(whole);
      whole = { ...nothing, instructions: instructionsOf.group };
    } else if (token === ')') {
      const group = whole;
      whole = outer.pop() ?? group;
      append(group);
    } else if (least === undefined) {
      const instructions = token === '*' || token === '|' ? instructionsOf[token] : instructionsOf.other;
      append({ size: 1, instructions, repetitions: 1 });
    } else {
      const count = Math.max(Number(least), Number(most ?? 0), 1);
      // Each repetition that may be left out is a branch, as is the end of those without a limit.
      const branches = most === undefined ? 0 : Math.max(Number(most) - Number(least), 1);
      append({
        size: last.size * (count - 1),
        instructions: last.instructions * (count - 1) + branches,
        repetitions: last.repetitions * count,
      });
    }
  }
  return whole;
}

/**
 * Puts letters in the place of quotations, escapes and classes, which have no part in how groups and repetitions nest, one for
 * each of their elements. Undefined where RE2 does not know one of them.
 */
function plainOf(pattern: string): string | undefined {
  let plain = '';
  for (let at = 0; at < pattern.length; ) {
    const end = pattern[at] === '[' ? classEnd(pattern, at) : undefined;
    const [text, quoted] = end === undefined ? matchAt(part, pattern, at) : [pattern.slice(at, end)];
    if (text === undefined) return undefined;
    plain += /^[\\[]/.test(text) ? 'e'.repeat(quoted?.length ?? 1) : text;
    at += text.length;
  }
  return plain;
}

/** Returns the index after a class; undefined where RE2 does not take it. */
function classEnd(pattern: string, start: number): number | undefined {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1);
  // A bracket in the first place is one of the class.
  do {
    const [text, , from, to] = matchAt(member, pattern, at);
    if (text === undefined || (from !== undefined && to !== undefined && codeOf(from) > codeOf(to))) return undefined;
    at += text.length;
  } while (pattern[at] !== ']');
  return at + 1;
}

/** Returns the match at an index, with its groups; none where it names an unknown class of Unicode. */
function matchAt(sticky: RegExp, pattern: string, at: number): readonly (string | undefined)[] {
  sticky.lastIndex = at;
  const found = sticky.exec(pattern);
  const name = found?.groups?.name ?? 'Any';
  const kind = /^[A-Z][a-z]?$/.test(name) ? 'gc' : 'sc';
  return found !== null && (name === 'Any' || isPattern(`\\p{${kind}=${name}}`, 'u')) ? found : [];
}

/** Returns the code of a character that may be an escape. */
function codeOf(text: string): number {
  const [, hex, octal, other = text] = /^\\(?:x\{?([\dA-Fa-f]+)|([0-7]+)|(.))/s.exec(text) ?? [];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (octal !== undefined) return Number.parseInt(octal, 8);
  return (text === other ? undefined : controls[other]) ?? other.codePointAt(0) ?? 0;
}

function isPattern(pattern: string, flags = ''): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
