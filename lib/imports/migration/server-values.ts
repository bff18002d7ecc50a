import * as v from 'valibot';
import type { ErrorDetail } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../values/json.ts';
import { moment } from '../../values/primitives.ts';

/* Values in the answers of the server that a migration reads. */

/** Returns the messages of an error in one line, each with its path. */
export function joinMessages({ details }: { readonly details: readonly ErrorDetail[] }): string {
  return details.map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`)).join(' ');
}

/** A time in the answer of a server; an invalid one counts as missing. */
export const time = v.fallback(v.optional(v.nullable(moment)), undefined);

/** Builds a schema for which an invalid value counts as missing. */
export function ignoreInvalid<TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.fallback(v.optional(schema), undefined as never);
}

/** Returns a value without its nulls. Unleash answers null for a missing property, which its requests omit. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, property]) =>
    property === null ? [] : [[name, withoutNulls(property)]],
  );
  return Object.fromEntries(entries);
}

/** Builds a function that reads the name of a thing: the first of some members that is a text and not empty, or else its id. */
export const readName =
  (...members: readonly string[]) =>
  (thing: JsonObject) =>
    String(
      members.map((member) => thing[member]).find((value) => typeof value === 'string' && value !== '') ?? thing.id,
    );

/** Tells whether a server shows a plan with the strategies of its milestones. */
export function isWholePlan(plan: unknown): plan is JsonObject {
  const { milestones } = isJsonObject(plan) ? plan : {};
  return Array.isArray(milestones) && milestones.every((each) => isJsonObject(each) && Array.isArray(each.strategies));
}
