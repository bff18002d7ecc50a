import * as v from 'valibot';
import type { ChangeUnit, FlagRequest } from '../../entity/effects.ts';
import { ApiError, type ErrorDetail } from '../../errors.ts';
import type { Request } from '../../request.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { JsonObject } from '../../values/json.ts';
import { moment } from '../../values/primitives.ts';
import type { SourceContent } from './source.ts';
import type { MigrationTarget } from './target.ts';

/** A thing that is not imported, or not unchanged, with the reason. */
export interface Remark {
  readonly name: string;
  readonly reason: string;
}

/** One thing that is created or changed: written whole, with its events, or not at all. */
export interface MigrationStep extends Omit<ChangeUnit, 'what'> {
  readonly name: string;
  /** Only one of several steps for the same thing has an outcome, so that the thing counts once. */
  readonly outcome?: 'created' | 'changed';
  /** Prepares the step, and returns further writes. Such a step gets a transaction of its own. */
  readonly buildExtraWrites?: (request: Request) => Promise<readonly Write[]>;
  /** Carries out the step by an operation that writes its own events. */
  readonly run?: (request: FlagRequest) => Promise<unknown>;
}

/** Builds a step that an operation carries out. */
export function buildRunStep(
  run: NonNullable<MigrationStep['run']>,
  name: string,
  outcome: MigrationStep['outcome'] = 'changed',
): MigrationStep {
  return { name, ...(outcome && { outcome }), writes: [], events: [], run };
}

/** The decision about some things of a kind. */
export interface KindDecision {
  readonly steps: readonly MigrationStep[];
  /** Things that are already here and the same. */
  readonly unchanged?: readonly string[];
  /** Things that cannot be imported. */
  readonly refused?: readonly Remark[];
  /** Things that lose something or need manual work. */
  readonly remarks?: readonly Remark[];
}

/** The decisions about the things of one kind, collected one after the other. */
export class Decisions implements KindDecision {
  readonly steps: MigrationStep[] = [];
  readonly unchanged: string[] = [];
  readonly refused: Remark[] = [];
  readonly remarks: Remark[] = [];

  /** Decides about one thing, and refuses it if that throws an ApiError. */
  async decide(name: string, decideThing: () => void | Promise<void>): Promise<void> {
    try {
      await decideThing();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.refused.push({ name, reason: joinMessages(error) });
    }
  }
}

/** A migration under way. */
export interface ServerMigration {
  readonly request: FlagRequest;
  readonly source: SourceContent;
  /** Address of the server. */
  readonly from: string;
  readonly target: MigrationTarget;
  /** True if it writes. */
  readonly isWriting: boolean;
  /** True if it deletes imported things that the server has deleted. */
  readonly isPruning: boolean;
}

/** A kind of thing that a migration imports. */
export interface ServerKind {
  /** The name of the kind in a plan, in the plural. */
  readonly title: string;
  /** Returns the decisions about its things, in order. Each reads the store, and is repeated after a lost race. */
  readonly decisions: (
    migration: ServerMigration,
  ) => Iterable<() => Promise<KindDecision>> | AsyncIterable<() => Promise<KindDecision>>;
  /** Runs when all things of the kind are written. */
  readonly after?: (request: Request) => Promise<void>;
  /** Decides about things of the kind that the server has deleted. */
  readonly decideDeletions?: (migration: ServerMigration) => Promise<KindDecision>;
}

/** Builds a kind with a single decision about all its things. */
export function buildKind(title: string, decide: (migration: ServerMigration) => Promise<KindDecision>): ServerKind {
  return { title, decisions: (migration) => [() => decide(migration)] };
}

/** The outcome for one kind, with the names of its things. */
export interface PlannedKind {
  readonly kind: string;
  readonly created: string[];
  readonly changed: string[];
  readonly unchanged: string[];
  readonly refused: Remark[];
  readonly remarks: Remark[];
}

/** Counts all things of an outcome. */
export function countThings({ created, changed, unchanged, refused }: PlannedKind): number {
  return created.length + changed.length + unchanged.length + refused.length;
}

/** Returns the messages of an error in one line, each with its path. */
export function joinMessages({ details }: { readonly details: readonly ErrorDetail[] }): string {
  return details.map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`)).join(' ');
}

/** A time in the answer of a server; an invalid one counts as missing. */
export const time = v.fallback(v.optional(v.nullable(moment)), undefined);

/** Builds a schema for which an invalid value counts as missing. */
export function lenient<TSchema extends v.GenericSchema>(schema: TSchema) {
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

/** Builds the function that returns the name of a thing in a plan: its first non-empty text of some members, or its id. */
export const readName =
  (...members: readonly string[]) =>
  (thing: JsonObject) =>
    String(
      members.map((member) => thing[member]).find((value) => typeof value === 'string' && value !== '') ?? thing.id,
    );
