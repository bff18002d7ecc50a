/** The letters that RE2 takes behind a backslash; it takes any punctuation, and octal numbers. */
const escapes = /^[^A-Za-z1-9]$|^[aftnrvxAbBzdDsSwWpPC]$/;
/** RE2's own limit for the numbers of `x{n,m}`. */
const repetitionsMax = 1_000;

/** What may follow `(?`: nothing captured, a name, or flags. Everything else looks around, which RE2 cannot do. */
const groupStart = /^(?::|P?<[A-Za-z_]\w*>|[imsU]*(?:-[imsU]+)?:)/;
const flags = /\(\?[imsU]+(?:-[imsU]+)?\)/g;

/**
 * Whether a text is a regular expression in the syntax of RE2, which the SDKs match with: no lookaround and no
 * backreferences. The check is one of syntax alone; a compiler of RE2 would double the size of every function.
 * Source: https://github.com/google/re2/wiki/Syntax
 */
export function isRe2(pattern: string): boolean {
  const unquoted = pattern.replace(/\\Q[\s\S]*?(?:\\E|$)/g, 'q');
  if ([...unquoted.matchAll(/\\([\s\S])/g)].some(([, letter = '']) => !escapes.test(letter))) return false;

  // What is escaped, in a class, or a flag has no part in how groups and repetitions nest.
  const unescaped = unquoted.replace(/\\[pPx](?:\{\w*\}|\w{1,2})|\\[\s\S]/g, 'e').replace(/\[:\^?\w+:\]/g, 'p');
  const plain = withoutClasses(unescaped).replace(flags, '');
  const groups = plain.split('(?').slice(1);
  if (!groups.every((group) => groupStart.test(group))) return false;
  const repetitions = [...plain.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, ...counts]) => counts.map(Number));
  return repetitions.every((count) => !(count > repetitionsMax)) && isPattern(plain.replace(/\(\?[^:>]*[:>]/g, '('));
}

/** Each class as a letter, up to one that does not end. */
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
