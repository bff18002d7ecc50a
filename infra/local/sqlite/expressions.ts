import { type AttributeValue, unicode, type WireItem } from './attributes.ts';
import { compareNumbers, sumOf } from './decimal.ts';
import { badRequest } from './store-error.ts';

/** The part of a request that gives the placeholders of its expressions their meaning. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: WireItem | undefined;
}

/** An attribute (`#name` or its name) or a value (`:name`), as it stands in the text. */
type Operand = string;

export type ConditionTree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly [ConditionTree, ConditionTree] }
  | { readonly kind: 'not'; readonly part: ConditionTree }
  | { readonly kind: 'is'; readonly operator: string; readonly operands: readonly Operand[] };

/** A change of one attribute. */
interface Assignment {
  readonly clause: 'SET' | 'ADD' | 'REMOVE';
  readonly attribute: string;
  /** Operands of a sum; the one behind `unless` is taken where that attribute is missing. */
  readonly terms: readonly { readonly operand: Operand; readonly unless?: string }[];
}

const functions = ['attribute_exists', 'attribute_not_exists', 'begins_with', 'contains'];
const comparisons = ['=', '<>', '<', '<=', '>', '>='];
const token = /\s*(?:(<>|<=|>=|[=<>(),+])|([#:]?[A-Za-z_][\w-]*))/y;

/** The words of an expression, one after the other. */
class Words {
  readonly #words: string[] = [];
  #at = 0;

  constructor(text: string) {
    token.lastIndex = 0;
    while (text.slice(token.lastIndex).trim() !== '') {
      const start = token.lastIndex;
      const found = token.exec(text);
      if (found === null) {
        throw badRequest(
          `Invalid expression: nested attributes and other syntax are not supported: "${text.slice(start)}"`,
        );
      }
      this.#words.push(found[1] ?? found[2] ?? '');
    }
  }

  get next(): string | undefined {
    return this.#words[this.#at];
  }

  take(): string {
    const word = this.#words[this.#at];
    if (word === undefined) throw badRequest('Invalid expression: it ends too early');
    this.#at += 1;
    return word;
  }

  /** Takes the next word if it is this one; keywords in any case. */
  takeIf(word: string): boolean {
    if (this.next?.toUpperCase() !== word.toUpperCase()) return false;
    this.#at += 1;
    return true;
  }

  expect(word: string): void {
    if (!this.takeIf(word))
      throw badRequest(`Invalid expression: "${word}" is missing before "${this.next ?? 'the end'}"`);
  }
}

/** Texts are few, since their values stand beside them. */
function remembered<T>(parse: (words: Words) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const words = new Words(text);
    const parsed = parse(words);
    if (words.next !== undefined) throw badRequest(`Invalid expression: unexpected "${words.next}"`);
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

/** Reads a condition. */
export const parseCondition = remembered(disjunction);

function disjunction(words: Words): ConditionTree {
  let left = conjunction(words);
  while (words.takeIf('OR')) left = { kind: 'or', parts: [left, conjunction(words)] };
  return left;
}

function conjunction(words: Words): ConditionTree {
  let left = negation(words);
  while (words.takeIf('AND')) left = { kind: 'and', parts: [left, negation(words)] };
  return left;
}

function negation(words: Words): ConditionTree {
  if (words.takeIf('NOT')) return { kind: 'not', part: negation(words) };
  if (words.takeIf('(')) {
    const inner = disjunction(words);
    words.expect(')');
    return inner;
  }
  const first = words.take();
  if (functions.includes(first)) return { kind: 'is', operator: first, operands: inParentheses(words) };
  if (words.takeIf('BETWEEN')) {
    const low = words.take();
    words.expect('AND');
    return { kind: 'is', operator: 'BETWEEN', operands: [first, low, words.take()] };
  }
  if (words.takeIf('IN')) return { kind: 'is', operator: 'IN', operands: [first, ...inParentheses(words)] };
  const operator = words.take();
  if (!comparisons.includes(operator)) throw badRequest(`Invalid expression: unexpected "${operator}"`);
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
    const clause = words.take().toUpperCase();
    if (clause !== 'SET' && clause !== 'ADD' && clause !== 'REMOVE') {
      throw badRequest(`Invalid UpdateExpression: unexpected "${clause}"`);
    }
    do assignments.push(assignment(clause, words));
    while (words.takeIf(','));
  }
  return assignments;
});

function assignment(clause: Assignment['clause'], words: Words): Assignment {
  const attribute = words.take();
  if (clause === 'REMOVE') return { clause, attribute, terms: [] };
  if (clause === 'ADD') return { clause, attribute, terms: [{ operand: words.take() }] };
  words.expect('=');
  const terms = [term(words)];
  while (words.takeIf('+')) terms.push(term(words));
  return { clause, attribute, terms };
}

function term(words: Words): Assignment['terms'][number] {
  const operand = words.take();
  if (operand !== 'if_not_exists') return { operand };
  const [unless = '', otherwise = ''] = inParentheses(words);
  return { operand: otherwise, unless };
}

/** Names of attributes, read from a list with commas. */
export function parseProjection(text: string, placeholders: Placeholders): string[] {
  return text.split(',').map((each) => nameOf(each.trim(), placeholders));
}

/** @throws StoreError for a placeholder without a meaning. */
export function nameOf(operand: Operand, { ExpressionAttributeNames = {} }: Placeholders): string {
  if (!operand.startsWith('#')) return operand;
  const name = ExpressionAttributeNames[operand];
  if (name === undefined)
    throw badRequest(
      `An expression attribute name used in the document path is not defined; attribute name: ${operand}`,
    );
  return unicode(name);
}

/** The value of an operand: that of a placeholder, or that which the item has; undefined where it has none. */
export function operandValue(operand: Operand, item: WireItem, placeholders: Placeholders): AttributeValue | undefined {
  if (!operand.startsWith(':')) return item[nameOf(operand, placeholders)];
  const value = placeholders.ExpressionAttributeValues?.[operand];
  if (value === undefined)
    throw badRequest(`An expression attribute value used in expression is not defined; attribute value: ${operand}`);
  return value;
}

/** Tells whether an item meets a condition; `{}` stands for one that is not there. */
export function holds(condition: ConditionTree, item: WireItem, placeholders: Placeholders): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => holds(part, item, placeholders));
    case 'or':
      return condition.parts.some((part) => holds(part, item, placeholders));
    case 'not':
      return !holds(condition.part, item, placeholders);
    default: {
      const [first, ...others] = condition.operands.map((operand) => operandValue(operand, item, placeholders));
      return isTrue(condition.operator, first, others);
    }
  }
}

function isTrue(
  operator: string,
  first: AttributeValue | undefined,
  others: readonly (AttributeValue | undefined)[],
): boolean {
  if (operator === 'attribute_exists') return first !== undefined;
  if (operator === 'attribute_not_exists') return first === undefined;
  const [second, third] = others;
  // Something that is missing differs from all values, and is in no order with them.
  if (operator === '<>') return !equals(first, second);
  if (first === undefined || second === undefined) return false;
  if (operator === '=') return equals(first, second);
  if (operator === 'IN') return others.some((each) => equals(first, each));
  if (operator === 'begins_with')
    return first.S !== undefined && second.S !== undefined && first.S.startsWith(second.S);
  if (operator === 'contains') return first.S !== undefined && second.S !== undefined && first.S.includes(second.S);
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

function equals(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (a.S !== undefined) return a.S === b.S;
  return JSON.stringify(a) === JSON.stringify(b);
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
 * @throws StoreError where a sum has other terms than numbers.
 */
export function updated(text: string, item: WireItem, placeholders: Placeholders): Record<string, AttributeValue> {
  const after: Record<string, AttributeValue> = { ...item };
  for (const { clause, attribute, terms } of parseUpdate(text)) {
    const name = nameOf(attribute, placeholders);
    if (clause === 'REMOVE') {
      delete after[name];
      continue;
    }
    const values = terms.map(({ operand, unless }) => {
      const present = unless === undefined ? undefined : operandValue(unless, item, placeholders);
      return present ?? required(operandValue(operand, item, placeholders));
    });
    if (clause === 'ADD' && item[name] !== undefined) values.unshift(item[name]);
    const [first, ...rest] = values as [AttributeValue, ...AttributeValue[]];
    after[name] = rest.length === 0 && (clause === 'SET' || first.N !== undefined) ? first : total(values);
  }
  return after;
}

function required(value: AttributeValue | undefined): AttributeValue {
  if (value === undefined)
    throw badRequest('The provided expression refers to an attribute that does not exist in the item');
  return value;
}

function total(values: readonly AttributeValue[]): AttributeValue {
  const numbers = values.map(({ N }) => {
    if (N === undefined) throw badRequest('An operand in the update expression has an incorrect data type');
    return N;
  });
  return { N: numbers.reduce(sumOf) };
}
