import { type AttributeValue, normalItem, unicode, type WireItem } from './attributes.ts';
import { compareNumbers, sumOf } from './decimal.ts';
import { badRequest } from './store-error.ts';

/** The part of a request that gives the placeholders of its expressions their meaning. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: WireItem | undefined;
}

/** Returns the value of an attribute; undefined where the item has none, or is not there. */
export type Lookup = (name: string) => AttributeValue | undefined;

/** An attribute (`#name` or its name) or a value (`:name`), as it stands in the text. */
type Operand = string;

export type ConditionTree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly [ConditionTree, ConditionTree] }
  | { readonly kind: 'is'; readonly operator: string; readonly operands: readonly Operand[] };

/** A change of one attribute: it is set, unless it is there already, or a number is added to it. */
interface Assignment {
  readonly kind: 'set' | 'init' | 'add';
  readonly attribute: string;
  readonly operand: Operand;
}

/** The words of an expression, one after the other. */
interface Words {
  readonly next: string | undefined;
  take(): string;
  /** Takes the next word if it is this one; keywords in any case. */
  takeIf(word: string): boolean;
  expect(word: string): void;
}

function wordsOf(text: string): Words {
  const words = text.match(/[#:]?[A-Za-z_][\w-]*|<=|>=|\S/g) ?? [];
  let at = 0;
  return {
    get next() {
      return words[at];
    },
    take() {
      const word = words[at];
      if (word === undefined) throw badRequest('Invalid expression: it ends too early');
      at += 1;
      return word;
    },
    takeIf(word) {
      const isNext = words[at]?.toUpperCase() === word.toUpperCase();
      if (isNext) at += 1;
      return isNext;
    },
    expect(word) {
      if (!this.takeIf(word)) throw notSupported(words[at] ?? 'the end');
    },
  };
}

const notSupported = (word: string) => badRequest(`Invalid expression: "${word}" is not supported here`);

/** Keeps the meaning of texts. They are few, since their values stand beside them. */
function remembered<T>(parse: (words: Words) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const words = wordsOf(text);
    const parsed = parse(words);
    if (words.next !== undefined) throw notSupported(words.next);
    if (known.size < 1_000) known.set(text, parsed);
    return parsed;
  };
}

/** The words of a text. */
const wordsIn = remembered((words) => {
  const all = new Set<string>();
  while (words.next !== undefined) all.add(words.take());
  return all;
});

/** @throws StoreError for a placeholder that none of the expressions has. */
export function assertUsed(
  { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Placeholders,
  expressions: readonly (string | undefined)[],
): void {
  for (const all of [ExpressionAttributeNames, ExpressionAttributeValues]) {
    for (const name in all) {
      if (!expressions.some((each) => each !== undefined && wordsIn(each).has(name)))
        throw badRequest(`Value provided in ${name} unused in expressions`);
    }
  }
}

/**
 * Reads a condition in the part of DynamoDB's language that lib/store uses.
 * @throws StoreError for any other.
 */
export const parseCondition = remembered(disjunction);

function disjunction(words: Words): ConditionTree {
  let left = conjunction(words);
  while (words.takeIf('OR')) left = { kind: 'or', parts: [left, conjunction(words)] };
  return left;
}

function conjunction(words: Words): ConditionTree {
  let left = comparison(words);
  while (words.takeIf('AND')) left = { kind: 'and', parts: [left, comparison(words)] };
  return left;
}

function comparison(words: Words): ConditionTree {
  if (words.takeIf('(')) {
    const inner = disjunction(words);
    words.expect(')');
    return inner;
  }
  const first = words.take();
  if (['attribute_exists', 'attribute_not_exists', 'begins_with'].includes(first)) {
    return { kind: 'is', operator: first, operands: inParentheses(words) };
  }
  const operator = words.take();
  if (operator.toUpperCase() === 'BETWEEN') {
    const low = words.take();
    words.expect('AND');
    return { kind: 'is', operator: 'BETWEEN', operands: [first, low, words.take()] };
  }
  if (!['=', '<', '<=', '>', '>='].includes(operator)) throw notSupported(operator);
  return { kind: 'is', operator, operands: [first, words.take()] };
}

function inParentheses(words: Words): Operand[] {
  words.expect('(');
  const operands = [words.take()];
  while (words.takeIf(',')) operands.push(words.take());
  words.expect(')');
  return operands;
}

const parseUpdate = remembered((words) => {
  const assignments: Assignment[] = [];
  while (words.next !== undefined) {
    const clause = words.take();
    if (clause !== 'SET' && clause !== 'ADD') throw notSupported(clause);
    do assignments.push(assignment(clause, words));
    while (words.takeIf(','));
  }
  return assignments;
});

function assignment(clause: 'SET' | 'ADD', words: Words): Assignment {
  const attribute = words.take();
  if (clause === 'ADD') return { kind: 'add', attribute, operand: words.take() };
  words.expect('=');
  const operand = words.take();
  if (operand !== 'if_not_exists') return { kind: 'set', attribute, operand };
  const [unless, otherwise = ''] = inParentheses(words);
  if (unless !== attribute) throw notSupported(String(unless));
  return { kind: 'init', attribute, operand: otherwise };
}

/** Names of attributes, read from a list with commas. */
export function parseProjection(text: string, placeholders: Placeholders): string[] {
  return text.split(',').map((each) => nameOf(each.trim(), placeholders));
}

/** Values in the form in which they are kept. */
export function normalPlaceholders<P extends Placeholders>(placeholders: P): P {
  const { ExpressionAttributeValues: values } = placeholders;
  return values === undefined ? placeholders : { ...placeholders, ExpressionAttributeValues: normalItem(values) };
}

/** @throws StoreError for a placeholder without a meaning. */
export function nameOf(operand: Operand, { ExpressionAttributeNames = {} }: Placeholders): string {
  if (!operand.startsWith('#')) return operand;
  const name = ExpressionAttributeNames[operand];
  if (name === undefined) throw badRequest(`An expression attribute name is not defined: ${operand}`);
  return unicode(name);
}

/** @throws StoreError for a placeholder without a meaning. */
export function givenValue(operand: Operand, { ExpressionAttributeValues = {} }: Placeholders): AttributeValue {
  const value = ExpressionAttributeValues[operand];
  if (value === undefined) throw badRequest(`An expression attribute value is not defined: ${operand}`);
  return value;
}

/** Tells whether the attributes of an item meet a condition. */
export function holds(condition: ConditionTree, attributes: Lookup, placeholders: Placeholders): boolean {
  if (condition.kind === 'is') {
    const [first = '', ...others] = condition.operands;
    const values = others.map((operand) => givenValue(operand, placeholders));
    return isTrue(condition.operator, attributes(nameOf(first, placeholders)), values);
  }
  const [left, right] = condition.parts;
  return holds(left, attributes, placeholders) === (condition.kind === 'or')
    ? condition.kind === 'or'
    : holds(right, attributes, placeholders);
}

function isTrue(operator: string, first: AttributeValue | undefined, values: readonly AttributeValue[]): boolean {
  if (operator === 'attribute_exists') return first !== undefined;
  if (operator === 'attribute_not_exists') return first === undefined;
  const [second, third] = values;
  if (first === undefined || second === undefined) return false;
  if (operator === 'begins_with')
    return first.S !== undefined && second.S !== undefined && first.S.startsWith(second.S);
  if (operator === '=') return first.S === second.S && first.N === second.N && first.BOOL === second.BOOL;
  const order = orderOf(first, second);
  if (order === undefined) return false;
  if (operator === 'BETWEEN') {
    const above = third && orderOf(first, third);
    return order >= 0 && above !== undefined && above <= 0;
  }
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

/** Order of two texts or two numbers; others have none. Texts are compared byte by byte, as the store does. */
function orderOf(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  if (a.N !== undefined && b.N !== undefined) return compareNumbers(a.N, b.N);
  return undefined;
}

/** The names of the attributes that an update changes. */
export function updatedNames(text: string, placeholders: Placeholders): string[] {
  return parseUpdate(text).map(({ attribute }) => nameOf(attribute, placeholders));
}

/**
 * The item after an update; all of its operands are those of the item before.
 * @throws StoreError where something else than a number is added to, or would be added.
 */
export function updated(text: string, item: WireItem, placeholders: Placeholders): Record<string, AttributeValue> {
  const after: Record<string, AttributeValue> = { ...item };
  for (const { kind, attribute, operand } of parseUpdate(text)) {
    const name = nameOf(attribute, placeholders);
    const [before, value] = [item[name], givenValue(operand, placeholders)];
    if (kind === 'set') after[name] = value;
    else if (kind === 'init') after[name] = before ?? value;
    else after[name] = { N: sumOf(numberIn(before ?? { N: '0' }), numberIn(value)) };
  }
  return after;
}

function numberIn({ N }: AttributeValue): string {
  if (N === undefined) throw badRequest('An operand in the update expression has an incorrect data type');
  return N;
}
