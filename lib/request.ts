import { openEnvironmentStore } from './store/client/open-store.ts';
import { newUsage } from './store/client/usage.ts';
import type { Write } from './store/transactions/write.ts';
import type { Store, Work } from './store/work.ts';

/**
 * A request to the service: its work on the store, the versions that it expects, the projects that its caller may see, and the
 * changes that need approval. The creator of a request has to state all of these.
 */
export interface Request extends Work {
  /** The versions that `If-Match` allows for the thing that is changed; undefined for any version. */
  readonly expectedVersions: ReadonlySet<number> | undefined;
  /**
   * Projects that the caller must not see. To the caller, nothing in them exists, so every read leaves it out. A decision uses
   * `withAllProjects` for a rule that spans all projects, for example that a name is free.
   */
  readonly hiddenProjects: ReadonlySet<string>;
  /** The environments where the changes of the caller need approval, and the exceptions. */
  readonly gate: Gate;
}

/** The check that a change of what SDKs get in a protected environment was approved. */
export interface Gate {
  /** True if the caller may change nothing directly anywhere, since their token may only propose changes. */
  readonly onlyProposals: boolean;
  /** The protected environments, by project. */
  readonly protected: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tells whether the caller may skip approval there. An override that allows it becomes a condition of the transaction. */
  maySkip(project: string, environment: string): boolean;
  /** Returns the id of the override that this request has used so far, if any. */
  overrideId(): number | undefined;
  /**
   * Returns the conditions that the overrides in use have not ended, and the record of what changes under them.
   * @throws ApiError 403 if the writes are no proposal, and the caller may only propose changes.
   */
  extraWrites(writes: readonly Write[]): readonly Write[];
}

/** The rights of the caller of a request: what they may see, and change without approval. */
export type CallerAccess = Pick<Request, 'hiddenProjects' | 'gate'>;

/** The gate where no change needs approval. */
export const openGate: Gate = {
  onlyProposals: false,
  protected: new Map(),
  maySkip: () => true,
  overrideId: () => undefined,
  extraWrites: () => [],
};

/** The access of the service itself, and of its operators. */
export const fullAccess: CallerAccess = { hiddenProjects: new Set(), gate: openGate };

/**
 * Creates a request of the service itself, which may see and change everything. Each request counts its own calls to the store and
 * collects its own warnings, since the local server handles several at the same time.
 * @param signal ends its calls to the store.
 * @internal
 */
export function createRequest(store: Store, signal?: AbortSignal): Request {
  return {
    ...fullAccess,
    store,
    usage: newUsage(),
    warnings: new Set(),
    expectedVersions: undefined,
    ...(signal && { signal }),
  };
}

/** Creates a request of the service itself to the store that the environment variables name. */
export function createEnvironmentRequest(signal?: AbortSignal): Request {
  return createRequest(openEnvironmentStore(), signal);
}

/** Returns a request that sees all projects, for a rule that does not depend on what the caller may see. */
export function withAllProjects<R extends Request>(request: R): R {
  return { ...request, hiddenProjects: fullAccess.hiddenProjects };
}

/** Returns a request without an idempotency record, for all transactions but the last, which stores the answer for a repeated request. */
export function withoutIdempotencyRecord<R extends Request>(request: R): R {
  return { ...request, idempotencyRecord: undefined };
}

/** Returns a request that is carried out even if the caller loses their rights meanwhile. */
export function withoutAuthority<R extends Request>(request: R): R {
  return { ...request, authority: undefined };
}

/**
 * Returns a request that needs no approval: for applying an approved change request, and for the later phases of a change whose
 * first phase has passed the gate.
 */
export function withoutGate<R extends Request>(request: R): R {
  return { ...request, gate: openGate };
}

/** Tells whether the caller may see all projects. */
export function seesAllProjects({ hiddenProjects }: Pick<Request, 'hiddenProjects'>): boolean {
  return hiddenProjects.size === 0;
}

/** Tells whether a project is hidden from the caller, with everything in it. */
export function isHidden({ hiddenProjects }: Pick<Request, 'hiddenProjects'>, project: string | null | undefined) {
  return project != null && hiddenProjects.has(project);
}

/** Returns those of the projects that the caller may see. */
export function filterVisibleProjects(request: Request, projects: readonly string[]): string[] {
  return projects.filter((project) => !isHidden(request, project));
}

/** Tells whether the caller may see something that belongs to these projects: to none, or to one that they may see. */
export function isVisibleIn(request: Request, projects: readonly string[]): boolean {
  return projects.length === 0 || filterVisibleProjects(request, projects).length > 0;
}

/** Tells whether the caller may see all of these projects. */
export function canSeeAll(request: Request, projects: readonly string[]): boolean {
  return filterVisibleProjects(request, projects).length === projects.length;
}
