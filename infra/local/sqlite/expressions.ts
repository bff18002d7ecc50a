import type { AttributeValue, UpdateItemInput } from '@aws-sdk/client-dynamodb';
import { BoundedMap } from '../../../lib/values/cache.ts';
import { assertUnicode, normalizeItem } from './attributes.ts';
import { addNumbers, compareNumbers } from './decimal.ts';
import { badRequest } from './store-error.ts';

/** The part of a request that defines the placeholders in its expressions. */
export type Placeholders = Pick<UpdateItemInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/** The value of an attribute; undefined if the item does not have it, or does not exist. */
type Value = AttributeValue | undefined;

/** A comparison of an attribute (`#name` or its name) with values (`:name`), as written in the expression. */
interface Comparison {
  readonly operator: string;
  readonly attribute: string;
  readonly values: readonly string[];
  readonly isTrue: Test;
}

/** Alternatives. Each is a list of parts that must all be true. */
type Condition = readonly (readonly (Comparison | Condition)[])[];

type Test = (value: Value, ...operands: readonly AttributeValue[]) => boolean;

const operators = new Map<string, Test>([
  ['attribute_exists', (value) => value !== undefined],
  ['attribute_not_exists', (value) => value === undefined],
  ['begins_with', (value, { S }) => S !== undefined && value?.S?.startsWith(S) === true],
  ['=', (value, { S, N, BOOL }) => value !== undefined && value.S === S && value.N === N && value.BOOL === BOOL],
  ['<', (value, operand) => compare(value, operand) < 0],
  ['<=', (value, operand) => compare(value, operand) <= 0],
  ['>', (value, operand) => compare(value, operand) > 0],
  ['>=', (value, operand) => compare(value, operand) >= 0],
  ['BETWEEN', (value, low, high) => compare(value, low) >= 0 && compare(value, high) <= 0],
]);

/** Compares two strings or two numbers, and returns NaN for other values. Strings are compared byte by byte, as in DynamoDB. */
function compare(a: Value, b: AttributeValue): number {
  if (a?.S !== undefined && b.S !== undefined) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  return a?.N !== undefined && b.N !== undefined ? compareNumbers(a.N, b.N) : Number.NaN;
}

const notSupported = (word: string) => badRequest(`Invalid expression: "${word}" is not supported here`);

/** Returns a parser that caches its results. There are few different expressions, since they contain placeholders instead of values. */
function cacheParser<T>(parse: (words: string[]) => T): (text: string) => T {
  const cache = new BoundedMap<string, T>(1_000);
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const words = text.match(/[#:]?[A-Za-z_][\w-]*|<=|>=|\S/g) ?? [];
    const result = parse(words);
    if (words[0] !== undefined) throw notSupported(words[0]);
    cache.set(text, result);
    return result;
  };
}

/** Takes the next word. @throws StoreError if a pattern does not match the whole word. */
function take(words: string[], pattern: RegExp): string {
  const word = words.shift();
  if (word === undefined) throw badRequest('Invalid expression: it ends too early');
  if (pattern.exec(word)?.[0] !== word) throw notSupported(word);
  return word;
}

const takeAttribute = (words: string[]) => take(words, /#?[A-Za-z_].*/);
const takeValue = (words: string[]) => take(words, /:.+/);

/** Takes the next word if it is the given one, in upper or lower case. */
function takeIf(words: string[], expected: string): boolean {
  const isNext = words[0]?.toUpperCase() === expected;
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
 * Parses a condition in the subset of DynamoDB's language that lib/store uses.
 * @throws StoreError for all other conditions.
 */
const parseCondition = cacheParser(takeCondition);

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
    return buildComparison(first, attribute, values);
  }
  const operator = take(words, /[<>]=?|=|BETWEEN/i).toUpperCase();
  const values = [takeValue(words)];
  if (operator === 'BETWEEN') {
    take(words, /AND/i);
    values.push(takeValue(words));
  }
  return buildComparison(operator, first, values);
}

function buildComparison(operator: string, attribute: string, values: readonly string[]): Comparison {
  const isTrue = operators.get(operator);
  // The parameters of a test are the attribute and the operands of its operator.
  if (isTrue?.length !== 1 + values.length) throw notSupported(operator);
  return { operator, attribute, values, isTrue };
}

/**
 * Returns true if an item meets a condition.
 * @param readAttribute returns the value of an attribute of the item.
 */
export function evaluateCondition(
  text: string,
  readAttribute: (name: string) => Value,
  placeholders: Placeholders,
): boolean {
  const isMet = (condition: Condition): boolean =>
    condition.some((all) =>
      all.every((part) => {
        if (!('isTrue' in part)) return isMet(part);
        const operands = part.values.map((value) => resolveValue(value, placeholders));
        return part.isTrue(readAttribute(resolveName(part.attribute, placeholders)), ...operands);
      }),
    );
  return isMet(parseCondition(text));
}

/**
 * Parses a condition that consists of comparisons that must all be true.
 * @throws StoreError for a condition with alternatives.
 */
export function parseComparisons(text: string): Comparison[] {
  const partsOf = (condition: Condition): Comparison[] => {
    if (condition.length > 1) throw notSupported('OR');
    return condition.flat().flatMap((part) => ('isTrue' in part ? [part] : partsOf(part)));
  };
  return partsOf(parseCondition(text));
}

/** A change of one attribute, computed from its previous value and an operand. */
interface Assignment {
  readonly attribute: string;
  readonly value: string;
  readonly result: (before: Value, operand: AttributeValue) => AttributeValue;
}

const parseAssignments = cacheParser((words) => {
  const assignments: Assignment[] = [];
  while (words.length > 0) {
    assignments.push(...takeList(words, ',', take(words, /SET|ADD/) === 'SET' ? takeSet : takeAdd));
  }
  return assignments;
});

function takeSet(words: string[]): Assignment {
  const attribute = takeAttribute(words);
  take(words, /=/);
  if (!takeIf(words, 'IF_NOT_EXISTS'))
    return { attribute, value: takeValue(words), result: (_before, operand) => operand };
  take(words, /\(/);
  const tested = takeAttribute(words);
  if (tested !== attribute) throw notSupported(tested);
  take(words, /,/);
  const value = takeValue(words);
  take(words, /\)/);
  return { attribute, value, result: (before, operand) => before ?? operand };
}

const takeAdd = (words: string[]): Assignment => ({
  attribute: takeAttribute(words),
  value: takeValue(words),
  result: (before = { N: '0' }, operand) => ({ N: addNumbers(requireNumber(before), requireNumber(operand)) }),
});

function requireNumber({ N }: AttributeValue): string {
  if (N === undefined) throw badRequest('An operand in the update expression has an incorrect data type');
  return N;
}

/** A change of one attribute by an update. */
export interface AttributeChange {
  readonly name: string;
  /**
   * Computes the new value.
   * @throws StoreError for an addition if one of the values is not a number.
   */
  compute(before: Value): AttributeValue;
}

/** Parses the changes of an update. */
export function parseUpdate(text: string, placeholders: Placeholders): AttributeChange[] {
  return parseAssignments(text).map(({ attribute, value, result }) => {
    const operand = resolveValue(value, placeholders);
    return { name: resolveName(attribute, placeholders), compute: (before) => result(before, operand) };
  });
}

const parseAttributes = cacheParser((words) => takeList(words, ',', takeAttribute));

/** Parses the names of the attributes that an answer contains. */
export function parseProjection(text: string, placeholders: Placeholders): string[] {
  return parseAttributes(text).map((attribute) => resolveName(attribute, placeholders));
}

const parseWords = cacheParser((words) => new Set(words.splice(0)));

/** AWS's documented maximum size of an expression. */
const maxExpressionBytes = 4096;

/**
 * Returns the placeholders of expressions, with values as they are stored.
 * @throws StoreError if a placeholder is not used in any of the expressions, or if the expressions are too long.
 */
export function parsePlaceholders(input: Placeholders, ...expressions: readonly (string | undefined)[]): Placeholders {
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  if (expressions.some((text = '') => Buffer.byteLength(text) > maxExpressionBytes))
    throw badRequest('Expression size has exceeded the maximum allowed size');
  const words = parseWords(expressions.join(' '));
  const assertUsed = (name: string) => {
    if (!words.has(name)) throw badRequest(`Value provided in ${name} unused in expressions`);
  };
  for (const name in ExpressionAttributeNames) assertUsed(name);
  for (const name in ExpressionAttributeValues) assertUsed(name);
  return { ExpressionAttributeNames, ExpressionAttributeValues: normalizeItem(ExpressionAttributeValues) };
}

/** Returns the name of an attribute. @throws StoreError if its placeholder is not defined. */
export function resolveName(attribute: string, { ExpressionAttributeNames = {} }: Placeholders): string {
  const name = attribute.startsWith('#') ? ExpressionAttributeNames[attribute] : attribute;
  if (name === undefined) throw badRequest(`An expression attribute name is not defined: ${attribute}`);
  return assertUnicode(name);
}

/** Returns the value of a placeholder. @throws StoreError if it is not defined. */
export function resolveValue(placeholder: string, { ExpressionAttributeValues = {} }: Placeholders): AttributeValue {
  const value = ExpressionAttributeValues[placeholder];
  if (value === undefined) throw badRequest(`An expression attribute value is not defined: ${placeholder}`);
  return value;
}
