import { environmentStore } from './store/client/open-store.ts';
import { noUsage } from './store/client/usage.ts';
import type { Write } from './store/transactions/write.ts';
import type { Store, Work } from './store/work.ts';

/**
 * A request to the service: its work on the store, which versions it expects, which projects its caller sees, and what they may
 * change without approval. Whoever creates one has to say all of it.
 */
export interface Request extends Work {
  /** The versions of which the thing that is changed must have one, as `If-Match` says; undefined where any will do. */
  readonly expectedVersions: ReadonlySet<number> | undefined;
  /**
   * Projects that the caller must not see. What belongs to them does not exist for the caller, so every read leaves it out. A
   * decision asks `everything` when a rule spans all projects, for example that a name is free.
   */
  readonly hiddenProjects: ReadonlySet<string>;
  /** The environments where the caller's changes need approval, and what lets them through. */
  readonly gate: Gate;
}

/** The environments in which changes of what SDKs get need approval. */
export interface Gate {
  /** Environments by project. */
  readonly protected: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tells whether the caller may skip approval there. Where an override lets them, it becomes a condition of the transaction. */
  maySkip(project: string, environment: string): boolean;
  /** Returns the id of the override under which this request was let through so far, if any. */
  override(): number | undefined;
  /** Returns the checks that these overrides have not ended, and the record of what is changed under them. */
  besides(writes: readonly Write[]): readonly Write[];
}

/** The part of a request that says what its caller may see and change. */
export type CallerAccess = Pick<Request, 'hiddenProjects' | 'gate'>;

/** The gate where no change needs approval. */
export const openGate: Gate = {
  protected: new Map(),
  maySkip: () => true,
  override: () => undefined,
  besides: () => [],
};

/** The access of the service itself, and of those who run it. */
export const fullAccess: CallerAccess = { hiddenProjects: new Set(), gate: openGate };

/**
 * A request of the service itself, which sees and may change everything. Each counts its own calls to the store and collects its
 * own warnings: the local server answers several at the same time.
 * @param signal ends what it asks of the store.
 * @internal
 */
export function requestTo(store: Store, signal?: AbortSignal): Request {
  return {
    ...fullAccess,
    store,
    usage: noUsage(),
    warnings: new Set(),
    expectedVersions: undefined,
    ...(signal && { signal }),
  };
}

/** A request of the service itself to the store that the environment variables of the process name. */
export function environmentRequest(signal?: AbortSignal): Request {
  return requestTo(environmentStore(), signal);
}

/** A request that sees all projects, for what must hold whatever its caller may see. */
export function everything<R extends Request>(request: R): R {
  return { ...request, hiddenProjects: fullAccess.hiddenProjects };
}

/** A request without a receipt, for all transactions but the last: only that one stores the answer for a repeat. */
export function withoutReceipt<R extends Request>(request: R): R {
  return { ...request, receipt: undefined };
}

/** A request that is carried out even if its caller loses their rights meanwhile. */
export function withoutAuthority<R extends Request>(request: R): R {
  return { ...request, authority: undefined };
}

/**
 * A request that needs no approval: for the application of what was approved, and for the later steps of a change whose
 * first step has passed the gate.
 */
export function withoutGate<R extends Request>(request: R): R {
  return { ...request, gate: openGate };
}

/** Tells whether the caller sees all projects. */
export function seesEverything({ hiddenProjects }: Pick<Request, 'hiddenProjects'>): boolean {
  return hiddenProjects.size === 0;
}

/** Tells whether a project, with everything that belongs to it, does not exist for the caller. */
export function isHidden({ hiddenProjects }: Pick<Request, 'hiddenProjects'>, project: string | null | undefined) {
  return project != null && hiddenProjects.has(project);
}

/** Returns those of the projects that the caller sees. */
export function seenAmong(request: Request, projects: readonly string[]): string[] {
  return projects.filter((project) => !isHidden(request, project));
}

/** Tells whether something of several projects exists for the caller: it belongs to no project, or to one that they see. */
export function isSeenIn(request: Request, projects: readonly string[]): boolean {
  return projects.length === 0 || seenAmong(request, projects).length > 0;
}

/** Tells whether the caller sees all of these projects. */
export function seesAll(request: Request, projects: readonly string[]): boolean {
  return seenAmong(request, projects).length === projects.length;
}
