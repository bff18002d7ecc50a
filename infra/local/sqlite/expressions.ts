import type { AttributeValue, UpdateItemInput } from '@aws-sdk/client-dynamodb';
import { BoundedMap } from '../../../lib/values/cache.ts';
import { normalItem, unicode } from './attributes.ts';
import { compareNumbers, sumOf } from './decimal.ts';
import { badRequest } from './store-error.ts';

/** The part of a request that gives the placeholders of its expressions their meaning. */
export type Placeholders = Pick<UpdateItemInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/** The value of an attribute; undefined where the item has none, or is not there. */
type Found = AttributeValue | undefined;

/** A comparison of an attribute (`#name` or its name) with values (`:name`), as they stand in the text. */
interface Comparison {
  readonly operator: string;
  readonly attribute: string;
  readonly values: readonly string[];
  readonly isTrue: Test;
}

/** Alternatives, each of parts that all have to hold. */
type Condition = readonly (readonly (Comparison | Condition)[])[];

type Test = (found: Found, ...values: readonly AttributeValue[]) => boolean;

const operators = new Map<string, Test>([
  ['attribute_exists', (found) => found !== undefined],
  ['attribute_not_exists', (found) => found === undefined],
  ['begins_with', (found, { S }) => S !== undefined && found?.S?.startsWith(S) === true],
  ['=', (found, { S, N, BOOL }) => found !== undefined && found.S === S && found.N === N && found.BOOL === BOOL],
  ['<', (found, value) => orderOf(found, value) < 0],
  ['<=', (found, value) => orderOf(found, value) <= 0],
  ['>', (found, value) => orderOf(found, value) > 0],
  ['>=', (found, value) => orderOf(found, value) >= 0],
  ['BETWEEN', (found, low, high) => orderOf(found, low) >= 0 && orderOf(found, high) <= 0],
]);

/** Order of two texts or two numbers, of others NaN. Texts are compared byte by byte, as the store does. */
function orderOf(a: Found, b: AttributeValue): number {
  if (a?.S !== undefined && b.S !== undefined) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  return a?.N !== undefined && b.N !== undefined ? compareNumbers(a.N, b.N) : Number.NaN;
}

const notSupported = (word: string) => badRequest(`Invalid expression: "${word}" is not supported here`);

/** Keeps the meaning of texts. They are few, since their values stand beside them. */
function remembered<T>(take: (words: string[]) => T): (text: string) => T {
  const known = new BoundedMap<string, T>(1_000);
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const words = text.match(/[#:]?[A-Za-z_][\w-]*|<=|>=|\S/g) ?? [];
    const meaning = take(words);
    if (words[0] !== undefined) throw notSupported(words[0]);
    known.set(text, meaning);
    return meaning;
  };
}

/** Takes the next word, the whole of which has to be of a form. */
function take(words: string[], form: RegExp): string {
  const word = words.shift();
  if (word === undefined) throw badRequest('Invalid expression: it ends too early');
  if (form.exec(word)?.[0] !== word) throw notSupported(word);
  return word;
}

const takeAttribute = (words: string[]) => take(words, /#?[A-Za-z_].*/);
const takeValue = (words: string[]) => take(words, /:.+/);

/** Takes the next word if it is this one; keywords in any case. */
function takeIf(words: string[], wanted: string): boolean {
  const isNext = words[0]?.toUpperCase() === wanted;
  if (isNext) words.shift();
  return isNext;
}

function takeList<T>(words: string[], separator: string, takeOne: (words: string[]) => T): T[] {
  const all: T[] = [];
  do all.push(takeOne(words));
  while (takeIf(words, separator));
  return all;
}

/**
 * Reads a condition in the part of DynamoDB's language that lib/store uses.
 * @throws StoreError for any other.
 */
const parseCondition = remembered(takeCondition);

function takeCondition(words: string[]): Condition {
  return takeList(words, 'OR', () => takeList(words, 'AND', takePart));
}

function takePart(words: string[]): Comparison | Condition {
  if (takeIf(words, '(')) {
    const inner = takeCondition(words);
    take(words, /\)/);
    return inner;
  }
  const first = takeAttribute(words);
  if (takeIf(words, '(')) {
    const attribute = takeAttribute(words);
    const values = takeIf(words, ',') ? [takeValue(words)] : [];
    take(words, /\)/);
    return comparison(first, attribute, values);
  }
  const operator = take(words, /[<>]=?|=|BETWEEN/i).toUpperCase();
  const values = [takeValue(words)];
  if (operator === 'BETWEEN') {
    take(words, /AND/i);
    values.push(takeValue(words));
  }
  return comparison(operator, first, values);
}

function comparison(operator: string, attribute: string, values: readonly string[]): Comparison {
  const isTrue = operators.get(operator);
  // A test takes the attribute and as many values as its operator has.
  if (isTrue?.length !== 1 + values.length) throw notSupported(operator);
  return { operator, attribute, values, isTrue };
}

/** Tells whether the attributes of an item meet a condition. */
export function holds(text: string, attributes: (name: string) => Found, placeholders: Placeholders): boolean {
  const isMet = (condition: Condition): boolean =>
    condition.some((all) =>
      all.every((part) => {
        if (!('isTrue' in part)) return isMet(part);
        const values = part.values.map((each) => givenValue(each, placeholders));
        return part.isTrue(attributes(nameOf(part.attribute, placeholders)), ...values);
      }),
    );
  return isMet(parseCondition(text));
}

/**
 * The comparisons that all have to hold for a condition.
 * @throws StoreError for one that has alternatives.
 */
export function comparisonsIn(text: string): Comparison[] {
  const partsOf = (condition: Condition): Comparison[] => {
    if (condition.length > 1) throw notSupported('OR');
    return condition.flat().flatMap((part) => ('isTrue' in part ? [part] : partsOf(part)));
  };
  return partsOf(parseCondition(text));
}

/** A change of one attribute, of its value before and one that is given. */
interface Assignment {
  readonly attribute: string;
  readonly value: string;
  readonly result: (before: Found, given: AttributeValue) => AttributeValue;
}

const parseUpdate = remembered((words) => {
  const changes: Assignment[] = [];
  while (words.length > 0) {
    changes.push(...takeList(words, ',', take(words, /SET|ADD/) === 'SET' ? takeSet : takeAdd));
  }
  return changes;
});

function takeSet(words: string[]): Assignment {
  const attribute = takeAttribute(words);
  take(words, /=/);
  if (!takeIf(words, 'IF_NOT_EXISTS')) return { attribute, value: takeValue(words), result: (_before, given) => given };
  take(words, /\(/);
  const unless = takeAttribute(words);
  if (unless !== attribute) throw notSupported(unless);
  take(words, /,/);
  const value = takeValue(words);
  take(words, /\)/);
  return { attribute, value, result: (before, given) => before ?? given };
}

const takeAdd = (words: string[]): Assignment => ({
  attribute: takeAttribute(words),
  value: takeValue(words),
  result: (before = { N: '0' }, given) => ({ N: sumOf(numberIn(before), numberIn(given)) }),
});

function numberIn({ N }: AttributeValue): string {
  if (N === undefined) throw badRequest('An operand in the update expression has an incorrect data type');
  return N;
}

/** A change of the attribute of a name. */
export interface AttributeChange {
  readonly name: string;
  /** @throws StoreError where something else than a number is added to, or would be added. */
  changed(before: Found): AttributeValue;
}

/** The changes that an update makes. */
export function changesIn(text: string, placeholders: Placeholders): AttributeChange[] {
  return parseUpdate(text).map(({ attribute, value, result }) => {
    const given = givenValue(value, placeholders);
    return { name: nameOf(attribute, placeholders), changed: (before) => result(before, given) };
  });
}

const parseProjection = remembered((words) => takeList(words, ',', takeAttribute));

/** The names of the attributes that an answer shows. */
export function namesIn(text: string, placeholders: Placeholders): string[] {
  return parseProjection(text).map((each) => nameOf(each, placeholders));
}

const wordsIn = remembered((words) => new Set(words.splice(0)));

/** AWS's documented limit of an expression. */
const expressionBytesMax = 4096;

/**
 * The placeholders of expressions, with values in the form in which they are kept.
 * @throws StoreError for one that none of the expressions has, and for too long an expression.
 */
export function placeholdersOf(input: Placeholders, ...expressions: readonly (string | undefined)[]): Placeholders {
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  if (expressions.some((text = '') => Buffer.byteLength(text) > expressionBytesMax))
    throw badRequest('Expression size has exceeded the maximum allowed size');
  const words = wordsIn(expressions.join(' '));
  const assertUsed = (name: string) => {
    if (!words.has(name)) throw badRequest(`Value provided in ${name} unused in expressions`);
  };
  for (const name in ExpressionAttributeNames) assertUsed(name);
  for (const name in ExpressionAttributeValues) assertUsed(name);
  return { ExpressionAttributeNames, ExpressionAttributeValues: normalItem(ExpressionAttributeValues) };
}

/** @throws StoreError for a placeholder without a meaning. */
export function nameOf(attribute: string, { ExpressionAttributeNames = {} }: Placeholders): string {
  const name = attribute.startsWith('#') ? ExpressionAttributeNames[attribute] : attribute;
  if (name === undefined) throw badRequest(`An expression attribute name is not defined: ${attribute}`);
  return unicode(name);
}

/** @throws StoreError for a placeholder without a meaning. */
export function givenValue(placeholder: string, { ExpressionAttributeValues = {} }: Placeholders): AttributeValue {
  const value = ExpressionAttributeValues[placeholder];
  if (value === undefined) throw badRequest(`An expression attribute value is not defined: ${placeholder}`);
  return value;
}
