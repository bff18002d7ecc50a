/**
 * The most steps per character of a value for all regular expressions of a feature in an environment, or of a segment. Without a
 * limit, anybody who may evaluate features could slow the service down with long values.
 */
export const expressionStepsMax = 3_000;

/**
 * The most steps of an expression that is compiled when it is saved, or before its first match: compilation takes about 2 µs per
 * step. Larger expressions were stored before there was a limit. They are compiled only if the budget suffices for a match.
 */
export const compiledStepsMax = 10_000;

/**
 * The most steps of all expressions in the body of a request. All of them are compiled before anything else about the request is
 * known, in at most 0.3 s.
 */
export const requestStepsMax = 30_000;

/** The steps of an element of an expression; those of a group are in addition to its content. */
const steps = { group: 3, '*': 2, '|': 2, other: 1 };

/** The elements of an expression. One without a name takes a single step. */
const elements = [
  String.raw`\\Q(?<quotation>.*?)(?:\\E|$)`,
  // An escape, and a class.
  String.raw`\\(?:[pPx]\{[^}]*\}|x..|[pP].|[0-7]{1,3}|.)`,
  String.raw`\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*(?:\]|$)`,
  String.raw`(?<flags>\(\?[imsU-]*\))`,
  String.raw`(?<group>\((?:\?(?:P?<\w+>|[imsU-]*:))?)`,
  String.raw`\{(?<least>\d+)(?<range>,(?<most>\d*))?\}`,
  '.',
];
const element = new RegExp(elements.join('|'), 'gs');

/**
 * Returns the most steps that RE2 takes per character of a value, without compiling the expression. It counts the instructions of
 * the program, with repetitions such as `{9}` written out.
 */
export function countSteps(expression: string): number {
  const outer: number[] = [];
  // Even an empty program has three instructions.
  let sum = 3;
  let last = 0;
  for (const { 0: text, groups = {} } of expression.matchAll(element)) {
    const { quotation, flags, group, least, range, most } = groups;
    if (group !== undefined) {
      outer.push(sum);
      sum = steps.group;
    } else if (text === ')') {
      last = sum;
      sum = last + (outer.pop() ?? 0);
    } else if (quotation !== undefined) {
      last = steps.other;
      sum += quotation.length;
    } else if (least !== undefined) {
      const count = Math.max(Number(least), Number(most ?? 0), 1);
      // Each repetition that may be left out is a branch, as is the end of those without a limit.
      const branches = range === undefined ? 0 : Math.max(Number(most) - Number(least), 1);
      sum += last * (count - 1) + branches;
      last = last * count + branches;
    } else if (flags === undefined) {
      const own = text === '*' || text === '|' ? steps[text] : steps.other;
      last = '*+?'.includes(text) ? last + own : own;
      sum += own;
    }
  }
  return sum;
}

/** Counts the steps of all expressions in a body of any form: those of the constraints in it, wherever they are. */
export function countStepsIn(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 0;
  const { operator, value } = body as { readonly operator?: unknown; readonly value?: unknown };
  const own = operator === 'REGEX' && typeof value === 'string' ? countSteps(value) : 0;
  return Object.values(body).reduce((sum: number, each) => sum + countStepsIn(each), own);
}

/** Returns the message for too many steps. @param whose the owner of the expressions, such as "a segment". */
export function tooManyStepsMessage(whose: string, count: number, max = expressionStepsMax): string {
  return `The regular expressions of ${whose} take ${count} steps for each character of a value, and at most ${max} are allowed. Equal expressions count once; a repetition such as {9} counts nine times.`;
}
