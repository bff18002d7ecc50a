import * as v from 'valibot';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Findings } from './findings.ts';
import { repeatedEntries } from './repeated-entries.ts';
import { type SeedFile, seedFile } from './seed-file.ts';
import { usableEntries } from './usable-entries.ts';

/** A member of a seed, e.g. its segments. */
export type SeedMember = keyof SeedFile;

/** A strategy type; those of a file can be edited and are not deprecated. */
export type StrategyTypeSeed = SeedFile['strategies'][number] & {
  readonly editable?: boolean;
  readonly deprecated?: boolean;
};

/** A user; the id is a wish, which a file cannot express. */
type UserSeed = SeedFile['users'][number] & { readonly id?: number };

/** What a store is to hold, every default filled in. */
export interface SeedData extends Omit<SeedFile, 'strategies' | 'users'> {
  strategies: StrategyTypeSeed[];
  users: UserSeed[];
}

/** What a seed file may have at its top. */
export const seedMembers = Object.keys(seedFile.entries);

/** A seed file as far as it can be read. */
export interface ParsedSeed extends Findings {
  /** What is usable of it. It is not to be stored while there are problems, but shows whether there are more. */
  readonly data: SeedData;
  /** What is no problem and yet worth saying: the members that mean nothing here may be misspelt ones. */
  readonly notes: readonly string[];
}

/**
 * Reads the content of a seed file, already parsed from JSON, and names every problem that shows without a store, with
 * its place in the file ("projects.0.id").
 */
export function parseSeed(json: unknown): ParsedSeed {
  const { success, output, issues = [] } = v.safeParse(seedFile, json);
  const { data, places } = success ? { data: output, places: {} } : usableEntries(json);
  return {
    data,
    places,
    problems: [...issues.map(toDetail), ...repeatedEntries(json)],
    notes: notesOn(json),
  };
}

/**
 * Reads the content of a seed file that has to be right in itself.
 * @throws ApiError 400 whose details name every problem.
 */
export function readSeed(json: unknown): SeedData {
  const { data, problems } = parseSeed(json);
  if (problems.length > 0) throw invalidRequest(problems);
  return data;
}

function notesOn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  const unknown = Object.keys(json).filter((member) => !seedMembers.includes(member));
  return unknown.map((member) => `the member ${JSON.stringify(member)} is unknown and was ignored.`);
}

function toDetail(issue: v.BaseIssue<unknown>): ErrorDetail {
  const path = v.getDotPath(issue);
  return path === null ? { message: issue.message } : { message: issue.message, path };
}
