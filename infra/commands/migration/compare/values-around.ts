import { isIPv4 } from 'node:net';
import type { ClientConstraint } from './client-answer.ts';

/**
 * Returns values of a context field around a constraint: some that satisfy it, and some that almost do. The SDK decides which are
 * which. `undefined` is a context without the field.
 */
export function listValuesAround({ operator, values, value }: ClientConstraint): readonly (string | undefined)[] {
  const text = value ?? '';
  const list = generators.find(([prefix]) => operator.startsWith(prefix))?.[1];
  return [...(list?.({ texts: sampleTexts(values), text }) ?? [...sampleTexts(values), text]), undefined];
}

interface ConstraintValues {
  readonly texts: readonly string[];
  readonly text: string;
}

/** The generators of values, by the prefix of the operator. */
const generators: readonly (readonly [prefix: string, list: (values: ConstraintValues) => readonly string[]])[] = [
  ['IN_CIDR', ({ texts }) => texts.flatMap(aroundRange)],
  ['IN', ({ texts }) => texts.flatMap(aroundText)],
  ['NOT_IN', ({ texts }) => texts.flatMap(aroundText)],
  ['STR_', ({ texts }) => texts.flatMap(aroundPart)],
  ['NUM_', ({ text }) => aroundNumber(text)],
  ['DATE_', ({ text }) => aroundDate(text)],
  ['SEMVER_', ({ text }) => aroundVersion(text)],
  ['REGEX', ({ text }) => aroundPattern(text)],
];

/** Returns the first, the middle and the last text if there are more than three. */
function sampleTexts<T>(all: readonly T[]): readonly T[] {
  return all.length <= 3
    ? all
    : [all[0], all[Math.floor(all.length / 2)], all.at(-1)].filter((value) => value !== undefined);
}

function otherCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

function aroundText(text: string): string[] {
  return [text, `${text}~`, otherCase(text)];
}

function aroundPart(part: string): string[] {
  return [part, `${part}~`, `~${part}`, `~${part}~`, otherCase(part), part.slice(0, -1)];
}

function aroundNumber(text: string): string[] {
  const number = Number(text);
  return [text, String(number - 1), String(number + 1), String(number + 0.001), 'not a number'];
}

function aroundDate(text: string): string[] {
  const time = Date.parse(text);
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  return Number.isNaN(time) ? [text] : [at(time), at(time - 1), at(time + 1), at(time + 366 * 24 * 3_600_000)];
}

function aroundVersion(text: string): string[] {
  const [major = 0, minor = 0, patch = 0] = (/^(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  return [
    text,
    `${major}.${minor}.${patch + 1}`,
    patch > 0 ? `${major}.${minor}.${patch - 1}` : `${Math.max(0, major - 1)}.${minor}.${patch}`,
    `${major}.${minor}.${patch}-rc.1`,
    'no version',
  ];
}

/** Returns texts that a simple pattern may match: each class is replaced by one of its letters. */
function aroundPattern(pattern: string): string[] {
  const literal = pattern
    .replaceAll(/\\d|\[0-9\]/g, '1')
    .replaceAll(/\\w|\[a-z\]/gi, 'a')
    .replaceAll(/\\s/g, ' ')
    .replaceAll(/\.(?=[*+?])/g, 'x')
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/[\^$*+?()]|\{.*?\}/g, '')
    .replace(/\|.*/, '');
  return [literal, `~${literal}`, `${literal}~`, otherCase(literal), ''];
}

/** Returns the address of the range, and addresses at the ends of the range and just outside of it. */
function aroundRange(range: string): string[] {
  const [address = '', bits = '32'] = range.split('/');
  if (!isIPv4(address)) return [address, '2001:db8:ffff::1', '::1'];
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  const first = Math.floor(number / size) * size;
  return [address, ...[first - 1, first + size - 1, first + size].map(addressOf)];
}

function addressOf(number: number): string {
  const bounded = Math.min(Math.max(number, 0), 2 ** 32 - 1);
  return [24, 16, 8, 0].map((shift) => Math.floor(bounded / 2 ** shift) % 256).join('.');
}
