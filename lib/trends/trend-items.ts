import { gunzipSync, gzipSync } from 'node:zlib';
import type { ProjectWeek } from '../usage/project-weeks.ts';
import type { PastFlag, PastState } from './past-state.ts';

/** The numbers of a project in a week: counts at its end, and what happened in it. */
export interface ProjectTrend {
  /** Live flags. */
  readonly total: number;
  readonly stale: number;
  readonly potentiallyStale: number;
  /** The days until a flag reached production; missing if none did lately. */
  readonly timeToProduction?: number;
  /** The number of members; missing if the week was recorded long after its end. */
  readonly users?: number;
  readonly newProductionFlags: number;
  readonly archivedFlags: number;
  /** The number of created flags, by type of flag. */
  readonly createdFlags: Readonly<Record<string, number>>;
  /** The number of updates, by type of environment. */
  readonly updates: Readonly<Record<string, number>>;
  /** Missing if no application has reported. */
  readonly metrics?: ProjectWeek;
}

/** The numbers of a week. */
export interface WeekTrend {
  readonly users: { readonly total: number; readonly active: number };
  readonly projects: Readonly<Record<string, ProjectTrend>>;
}

/** The item of a week. */
export interface WeekItem {
  /** The time up to which events are counted, in milliseconds since 1970. */
  readonly until: number;
  /** A compressed `WeekTrend`. */
  readonly content: string;
}

/** The item with the progress of all records. */
export interface ProgressItem {
  readonly version: number;
  /** The form of the items; those of another form are computed again. */
  readonly form: number;
  /** The end of the last week whose numbers are final, in milliseconds since 1970. */
  readonly until: number;
  /** The number of items with the state at that time; 0 if no week is final. */
  readonly parts: number;
}

/** The form of the items that this release writes. */
export const currentForm = 1;

/** The most characters of an item's content; items have at most 400 kB. */
const partLength = 350_000;

/** A flag in the state. `bits` is 1 for a stale flag, 2 for an archived one, 3 for both. */
type Row = readonly [
  name: string,
  project: string,
  type: string,
  createdAt: number,
  bits: number,
  inProductionAt: number | null,
];

/** Formats the state as the contents of one or more items. */
export function formatState({ flags, users, environmentTypes }: PastState): string[] {
  const rows = [...flags].map(([name, { project, type, createdAt, isStale, isArchived, inProductionAt }]): Row => {
    return [name, project, type, createdAt, Number(isStale) + 2 * Number(isArchived), inProductionAt];
  });
  const text = compress({ rows, users: [...users], environmentTypes: Object.fromEntries(environmentTypes) });
  const count = Math.ceil(text.length / partLength);
  return Array.from({ length: count }, (_, index) => text.slice(index * partLength, (index + 1) * partLength));
}

/** Reads the state from the contents of its items. */
export function parseState(parts: readonly string[]): PastState {
  const { rows, users, environmentTypes } = decompress(parts.join('')) as {
    readonly rows: readonly Row[];
    readonly users: readonly number[];
    readonly environmentTypes: Readonly<Record<string, string>>;
  };
  const flags = rows.map(([name, project, type, createdAt, bits, inProductionAt]): [string, PastFlag] => {
    const isStale = bits % 2 === 1;
    return [name, { project, type, createdAt, isStale, isArchived: bits >= 2, inProductionAt }];
  });
  return { flags: new Map(flags), users: new Set(users), environmentTypes: new Map(Object.entries(environmentTypes)) };
}

/** Formats the numbers of a week as the content of its item. */
export function formatWeek(trend: WeekTrend): string {
  return compress(trend);
}

/** Reads the numbers of a week from the content of its item. */
export function parseWeek({ content }: Pick<WeekItem, 'content'>): WeekTrend {
  return decompress(content) as WeekTrend;
}

/** Compresses a value: a hundred projects have similar numbers, so a week takes a quarter of its JSON. */
function compress(value: unknown): string {
  return gzipSync(JSON.stringify(value)).toString('base64');
}

function decompress(text: string): unknown {
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString());
}
