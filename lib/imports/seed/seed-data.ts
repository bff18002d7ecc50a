import * as v from 'valibot';
import { type ErrorDetail, toDetail } from '../../errors.ts';
import { object } from '../../values/primitives.ts';
import { type Kind, kinds } from './kinds.ts';

/** An entry of a seed, with all defaults. */
export interface SeedEntry {
  readonly kind: Kind;
  /** The path in the file, such as "projects.0". */
  readonly path: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Content of a seed file. */
export interface Seed {
  /** Valid entries. They must not be stored while there are problems, but they can reveal further problems. */
  readonly entries: readonly SeedEntry[];
  /** The problems that show without a store, each with its path in the file. */
  readonly problems: readonly ErrorDetail[];
  /** Warnings about unknown members, which may be typos. */
  readonly notes: readonly string[];
}

const seedFile = object(
  Object.fromEntries(
    Object.entries(kinds).map(([member, { schema }]) => [member, v.optional(v.array<v.GenericSchema>(schema))]),
  ),
);

/** Reads the content of a seed file, already parsed from JSON. */
export function readSeed(json: unknown): Seed {
  const { issues = [] } = v.safeParse(seedFile, json);
  const file: Readonly<Record<string, unknown>> = Object(json);
  const entries = Object.entries(kinds).map(([member, kind]) => usableEntries(member, kind, file[member]));
  const unknown = Array.isArray(json) ? [] : Object.keys(file).filter((member) => !Object.hasOwn(kinds, member));
  return {
    entries: entries.flat(),
    problems: [...issues.map(toDetail), ...entries.flatMap(repeatedEntries)],
    notes: unknown.map((member) => `the member ${JSON.stringify(member)} is unknown and was ignored.`),
  };
}

/**
 * Returns the usable entries of a list. An entry with malformed properties is kept without them, so that references to it
 * and its other properties are still checked, unless nothing identifies it any longer.
 */
function usableEntries(member: string, kind: Kind, list: unknown): SeedEntry[] {
  const { schema } = kind;
  return (Array.isArray(list) ? list : []).flatMap((sent: unknown, index) => {
    const { issues = [] } = v.safeParse(schema, sent);
    const malformed = new Set(issues.map(({ path }) => path?.[0].key));
    const rest = Object.entries(Object(sent)).filter(([property]) => !malformed.has(property));
    const { success, output } = v.safeParse(schema, issues.length === 0 ? sent : Object.fromEntries(rest));
    return success ? [{ kind, path: `${member}.${index}`, entry: output }] : [];
  });
}

/** Returns the problems of entries that repeat an earlier one of the same kind. */
function repeatedEntries(entries: readonly SeedEntry[]): ErrorDetail[] {
  const byName = Map.groupBy(entries, ({ kind, entry }) => entryNameOf(kind, entry, numberOf(entry) !== undefined));
  return [...byName.values()].flatMap(([, ...repeated]) =>
    repeated.map(({ path, kind }) => ({ message: `An earlier entry is the same ${kind.entity.kind}.`, path })),
  );
}

/** Returns the name that identifies an entry and the thing that it describes. */
export function entryNameOf({ nameOf }: Kind, entryOrThing: object, isIdGiven: boolean): string {
  return nameOf?.({ ...entryOrThing }, isIdGiven) ?? (entryOrThing as { readonly name: string }).name;
}

/** A thing that an entry names, with its entity and the path of the name in the file. */
interface SeedReference {
  readonly to: NonNullable<Kind['refersTo']>[string];
  readonly name: string;
  readonly path: string;
}

/** Lists the things that an entry names. */
export function seedReferences({ kind: { refersTo = {}, wildcard }, path, entry }: SeedEntry): SeedReference[] {
  return Object.entries(refersTo).flatMap(([property, to]) => {
    const named = entry[property];
    const names = Array.isArray(named) ? named.map((name, index) => [name, `.${index}`]) : [[named, '']];
    return names.flatMap(([name, suffix]) =>
      typeof name === 'string' && name !== wildcard ? [{ to, name, path: `${path}.${property}${suffix}` }] : [],
    );
  });
}

/** Returns the id of an entry or a thing, if it is a number. */
export function numberOf(entryOrThing: object): number | undefined {
  return 'id' in entryOrThing && typeof entryOrThing.id === 'number' ? entryOrThing.id : undefined;
}
