import * as v from 'valibot';
import type { Places } from './findings.ts';
import { type SeedFile, seedFile } from './seed-file.ts';

const members = Object.keys(seedFile.entries) as (keyof SeedFile)[];

/**
 * What can be used of a seed file that has malformed parts. An entry stays with those of its properties that are well
 * formed, so that it can be referred to and can have further problems, unless nothing identifies it any more.
 */
export function usableEntries(json: unknown): { data: SeedFile; places: Places } {
  const sent: Readonly<Record<string, unknown>> = Object(json);
  const usable = members.map((member) => ({ member, entries: usableIn(sent[member], entrySchema(member)) }));
  const rest = usable.map(({ member, entries }) => [member, entries.map(({ entry }) => entry)]);
  return {
    data: v.parse(seedFile, Object.fromEntries(rest)),
    places: Object.fromEntries(usable.map(({ member, entries }) => [member, entries.map(({ place }) => place)])),
  };
}

function entrySchema(member: keyof SeedFile): v.GenericSchema {
  return seedFile.entries[member].wrapped.item;
}

/** The entries of a member with their places in it. */
function usableIn(list: unknown, schema: v.GenericSchema): { entry: unknown; place: number }[] {
  if (!Array.isArray(list)) return [];
  return list
    .map((entry: unknown, place) => ({ entry: withoutMalformed(entry, schema), place }))
    .filter(({ entry }) => v.is(schema, entry));
}

function withoutMalformed(entry: unknown, schema: v.GenericSchema): unknown {
  const { issues = [] } = v.safeParse(schema, entry);
  if (issues.length === 0) return entry;
  const malformed = new Set(issues.map(({ path }) => path?.[0].key));
  return Object.fromEntries(Object.entries(Object(entry)).filter(([property]) => !malformed.has(property)));
}
