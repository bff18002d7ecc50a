import type { ChangeUnit, FlagRequest } from '../../entity/effects.ts';
import { ApiError } from '../../errors.ts';
import type { Request } from '../../request.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Remark } from './reading.ts';
import { joinMessages } from './server-values.ts';
import type { SourceContent } from './source.ts';
import type { MigrationTarget } from './target.ts';

/** One thing that is created or changed: written whole, with its events, or not at all. */
export interface MigrationStep extends Omit<ChangeUnit, 'subject'> {
  readonly name: string;
  /** The outcome for the thing. Of several steps for the same thing, one has it, so that the thing counts once. */
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
