import * as v from 'valibot';
import type { FlagRequest, Step } from '../../entity/step.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { Request } from '../../request.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { JsonObject } from '../../values/json.ts';
import { moment } from '../../values/primitives.ts';
import type { SourceContent } from './source.ts';
import type { KnownHere } from './world.ts';

/** A thing that is not taken, or not as it is, with the reason. */
export interface Remark {
  readonly name: string;
  readonly reason: string;
}

/** One thing that is created or changed: written whole, with its events, or not at all. */
export interface MigrationStep extends Omit<Step, 'what'> {
  readonly name: string;
  /** Of several steps of one thing, the first says it. */
  readonly outcome?: 'created' | 'changed';
  /** Prepares the step, and returns further writes. Such a step is written by itself. */
  readonly besides?: (request: Request) => Promise<readonly Write[]>;
  /** Carries the step out by an operation of its own, which writes its events, too. */
  readonly run?: (request: FlagRequest) => Promise<unknown>;
}

/** Returns the step that an operation of its own carries out. */
export function stepBy(
  run: NonNullable<MigrationStep['run']>,
  name: string,
  outcome: MigrationStep['outcome'] = 'changed',
): MigrationStep {
  return { name, ...(outcome && { outcome }), writes: [], events: [], run };
}

/** The outcome for some things of a kind. */
export interface KindDecision {
  readonly steps: readonly MigrationStep[];
  readonly left?: readonly string[];
  /** Things that do not come over. */
  readonly refused?: readonly Remark[];
  /** Things that come over with less than they had, or need a hand. */
  readonly remarks?: readonly Remark[];
}

/** A migration under way. */
export interface ServerMigration {
  readonly request: FlagRequest;
  readonly source: SourceContent;
  /** Address of the server. */
  readonly from: string;
  readonly world: KnownHere;
  /** True if it writes. */
  readonly isWriting: boolean;
  /** True if it deletes what is gone there. */
  readonly isPruning: boolean;
}

/** A kind of thing that a migration brings over. */
export interface ServerKind {
  /** In the plural, as a plan names it. */
  readonly title: string;
  /**
   * Returns the decisions about its things, one after the other; each reads the store, and is made again where another
   * writer came first.
   */
  readonly decisions: (
    migration: ServerMigration,
  ) => Iterable<() => Promise<KindDecision>> | AsyncIterable<() => Promise<KindDecision>>;
  /** Follows when all of it is written. */
  readonly after?: (request: Request) => Promise<void>;
  /** Decides about those of its things that the server has no more. */
  readonly gone?: (migration: ServerMigration) => Promise<KindDecision>;
}

/** Makes a kind of which all things are decided on at once. */
export function kindAtOnce(title: string, decide: (migration: ServerMigration) => Promise<KindDecision>): ServerKind {
  return { title, decisions: (migration) => [() => decide(migration)] };
}

/** The outcome for one kind. */
export interface PlannedKind {
  readonly kind: string;
  readonly created: string[];
  readonly changed: string[];
  readonly left: string[];
  readonly refused: Remark[];
  readonly remarks: Remark[];
}

/** Counts the things that were decided on. */
export function amountIn({ created, changed, left, refused }: PlannedKind): number {
  return created.length + changed.length + left.length + refused.length;
}

/** Returns the words of a refusal, with the places of what is wrong. */
export function refusalWords({ details }: { readonly details: readonly ErrorDetail[] }): string {
  return details.map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`)).join(' ');
}

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
  (thing: JsonObject) =>
    String(
      members.map((member) => thing[member]).find((value) => typeof value === 'string' && value !== '') ?? thing.id,
    );
