import * as v from 'valibot';
import { type ErrorDetail, toDetail } from '../../errors.ts';
import { object } from '../../values/primitives.ts';
import { kinds, type Member, members } from './kinds.ts';

/** An entry of a seed, every default filled in. */
export interface SeedEntry {
  readonly member: Member;
  /** Its place in the file, e.g. "projects.0". */
  readonly path: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Content of a seed file. */
export interface Seed {
  /** Valid entries. They must not be stored while there are problems, but show whether there are more. */
  readonly entries: readonly SeedEntry[];
  /** Every problem that shows without a store, with its place in the file. */
  readonly problems: readonly ErrorDetail[];
  /** Warnings: members that mean nothing here may be misspelt ones. */
  readonly notes: readonly string[];
}

const seedFile = object(
  Object.fromEntries(members.map((member) => [member, v.optional(v.array<v.GenericSchema>(kinds[member].schema))])),
);

/** Reads the content of a seed file, already parsed from JSON. */
export function readSeed(json: unknown): Seed {
  const { issues = [] } = v.safeParse(seedFile, json);
  const sent: Readonly<Record<string, unknown>> = Object(json);
  const entries = members.map((member) => usableEntries(member, sent[member]));
  const unknown = Array.isArray(json) ? [] : Object.keys(sent).filter((each) => !members.includes(each as Member));
  return {
    entries: entries.flat(),
    problems: [...issues.map(toDetail), ...entries.flatMap(repeatedEntries)],
    notes: unknown.map((member) => `the member ${JSON.stringify(member)} is unknown and was ignored.`),
  };
}

/**
 * Returns the usable entries of a list. One with malformed properties stays, without them, so that others can refer to
 * it and its further problems are found, unless nothing identifies it any longer.
 */
function usableEntries(member: Member, list: unknown): SeedEntry[] {
  const { schema } = kinds[member];
  return (Array.isArray(list) ? list : []).flatMap((sent: unknown, index) => {
    const { issues = [] } = v.safeParse(schema, sent);
    const malformed = new Set(issues.map(({ path }) => path?.[0].key));
    const rest = Object.entries(Object(sent)).filter(([property]) => !malformed.has(property));
    const { success, output } = v.safeParse(schema, issues.length === 0 ? sent : Object.fromEntries(rest));
    return success ? [{ member, path: `${member}.${index}`, entry: output }] : [];
  });
}

/** Returns the problems of entries of a kind that repeat an earlier one. */
function repeatedEntries(entries: readonly SeedEntry[]): ErrorDetail[] {
  const nameOf = ({ member, entry }: SeedEntry) => kinds[member].nameOf(entry, numberOf(entry) !== undefined);
  const alike = Map.groupBy(entries, nameOf);
  return [...alike.values()].flatMap(([, ...repeated]) =>
    repeated.map(({ path, member }) => ({
      message: `An earlier entry is the same ${kinds[member].entity.kind}.`,
      path,
    })),
  );
}

/** Lists the things that an entry names, with the paths of the names in the file. */
export function seedReferences({ member, path, entry }: SeedEntry): { to: Member; name: string; path: string }[] {
  const { refersTo = {}, wildcard } = kinds[member];
  return Object.entries(refersTo).flatMap(([property, to]) => {
    const named = entry[property];
    const names = Array.isArray(named) ? named.map((name, index) => [name, `.${index}`]) : [[named, '']];
    return names.flatMap(([name, place]) =>
      typeof name === 'string' && name !== wildcard ? [{ to, name, path: `${path}.${property}${place}` }] : [],
    );
  });
}

/** Returns the id of an entry or a thing, where that is a number. */
export function numberOf(one: object): number | undefined {
  return 'id' in one && typeof one.id === 'number' ? one.id : undefined;
}
