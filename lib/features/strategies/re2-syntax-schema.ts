/** The letters that RE2 takes behind a backslash; it takes any punctuation, and octal numbers. */
const escapes = /^[^A-Za-z1-9]$|^[aftnrvxAbBzdDsSwWpPC]$/;
/** RE2's own limit for the numbers of `x{n,m}`, and for the product of those that nest. */
const repetitionsMax = 1_000;

/**
 * Allowed text after `(?`: a group without capture, a name, or flags. Everything else is a lookaround, which RE2 does
 * not support.
 */
const groupStart = /^(?::|P?<[A-Za-z_]\w*>|[imsU]*(?:-[imsU]+)?:)/;
const flags = /\(\?[imsU]+(?:-[imsU]+)?\)/g;

/** Size of a pattern for RE2: its elements with repetitions written out, and the repetitions of the innermost one. */
interface Extent {
  readonly size: number;
  readonly repetitions: number;
}

/**
 * Returns the number of elements of a regular expression in the syntax of RE2, which the SDKs match with, with its
 * repetitions written out: a match takes time in proportion to it. Undefined for what is none, such as one with
 * lookaround or backreferences. The check is one of syntax alone; a compiler of RE2 would double the size of every
 * function. Source: https://github.com/google/re2/wiki/Syntax
 */
export function re2Size(pattern: string): number | undefined {
  const unquoted = pattern.replace(/\\Q([\s\S]*?)(?:\\E|$)/g, (_, text: string) => 'q'.repeat(text.length || 1));
  if ([...unquoted.matchAll(/\\./gs)].some(([sequence]) => !escapes.test(sequence.slice(1)))) return undefined;

  // What is escaped, in a class, or a flag has no part in how groups and repetitions nest.
  const unescaped = unquoted.replace(/\\[pPx](?:\{\w*\}|\w{1,2})|\\./gs, 'e').replace(/\[:\^?\w+:\]/g, 'p');
  const plain = withoutClasses(unescaped).replace(flags, '');
  const groups = plain.split('(?').slice(1);
  if (!groups.every((group) => groupStart.test(group))) return undefined;
  const bare = plain.replace(/\(\?[^:>]*[:>]/g, '(');
  if (!isPattern(bare)) return undefined;
  const { size, repetitions } = extentOf(bare);
  return repetitions > repetitionsMax ? undefined : size;
}

/** Returns the extent of a pattern whose groups all end. */
function extentOf(bare: string): Extent {
  const outer: Extent[] = [];
  let whole: Extent = { size: 0, repetitions: 1 };
  let last = whole;
  const append = (part: Extent) => {
    last = part;
    whole = { size: whole.size + part.size, repetitions: Math.max(whole.repetitions, part.repetitions) };
  };
  for (const [token, least, most] of bare.matchAll(/\{(\d+)(?:,(\d*))?\}|./gs)) {
    if (token === '(') {
      outer.push(whole);
      whole = { size: 0, repetitions: 1 };
    } else if (token === ')') {
      const group = whole;
      whole = outer.pop() ?? group;
      append(group);
    } else if (least === undefined) {
      append({ size: 1, repetitions: 1 });
    } else {
      const count = Math.max(Number(least), Number(most ?? 0), 1);
      append({ size: last.size * (count - 1), repetitions: last.repetitions * count });
    }
  }
  return whole;
}

/** Replaces each class by a letter, up to one that does not end. */
function withoutClasses(pattern: string): string {
  let plain = '';
  let from = 0;
  for (let start = pattern.indexOf('['); start >= 0; start = pattern.indexOf('[', from)) {
    // A bracket in the first place is one of the class.
    const end = pattern.indexOf(']', start + (pattern[start + 1] === '^' ? 3 : 2));
    if (end < 0) break;
    plain += `${pattern.slice(from, start)}c`;
    from = end + 1;
  }
  return plain + pattern.slice(from);
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
