import { readFileSync } from 'node:fs';
import type { Reply } from '../../harness/gateway.ts';
import { type Example, pathVariablesOf } from '../example.ts';
import type { NamedSpecification } from '../specification.ts';
import { withoutChance } from './event.ts';

/** Example of an operation in the OpenAPI document: a request that succeeds, and the reply to it. */
export interface OpenApiExample {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly reply?: unknown;
}

export const examplesFile = new URL('../../../lib/http/examples.json', import.meta.url);

/** A longer reply would make readers scroll rather than understand. */
const replyLengthMax = 16_000;

export function openApiExample(
  { route }: NamedSpecification,
  { specified, body }: Example,
  answer: Reply,
): OpenApiExample {
  const names = pathVariablesOf(route);
  const isShown = ['object', 'boolean'].includes(typeof answer.body) && answer.text.length <= replyLengthMax;
  return {
    ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name, specified.params?.[name]])) }),
    ...(body !== undefined && { body: withoutReferences(body) }),
    ...(isShown && { reply: withoutReferences(inOrder(answer.body)) }),
  };
}

/** The same value without the members `$ref` of SCIM: readers of the document would follow them. */
function withoutReferences(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, member) => (name === '$ref' ? undefined : member)));
}

/** The same value with its properties in alphabetical order: the store gives its attributes in any order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/** The content of the file: what is random, and the time, are replaced, so that it is the same each time. */
export function examplesText(examples: Readonly<Record<string, OpenApiExample>>): string {
  return withoutChance(`${JSON.stringify(examples, null, 2)}\n`);
}

let written: Readonly<Record<string, OpenApiExample>> | undefined;

/** The example in the file, which a process reads once. */
export function readExample(operationId: string): OpenApiExample {
  written ??= JSON.parse(readFileSync(examplesFile, 'utf8')) as Readonly<Record<string, OpenApiExample>>;
  return written[operationId] ?? {};
}
