import * as v from 'valibot';
import type { Thing } from '../../values/json.ts';
import { moment } from '../../values/primitives.ts';

/** Time as servers answer it; what is none counts as missing. */
export const time = v.fallback(v.optional(v.nullable(moment)), undefined);

/** Returns the value of one schema or nothing for what is no such value: it decides nothing. */
export function lenient<TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.fallback(v.optional(schema), undefined as never);
}

/** A value without any null in it: Unleash answers what is not there as null, where requests leave it out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, each]) => (each === null ? [] : [[name, withoutNulls(each)]]));
  return Object.fromEntries(entries);
}

/** Schema of a thing in which null means that a property is missing. */
export function nullsMissing<TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.pipe(v.unknown(), v.transform(withoutNulls), schema);
}

/** Returns the name under a member, as a plan shows it. */
export const nameUnder =
  (...members: readonly string[]) =>
  (thing: Thing) =>
    String(
      members.map((member) => thing[member]).find((value) => typeof value === 'string' && value !== '') ?? thing.id,
    );
