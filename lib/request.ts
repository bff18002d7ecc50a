import { environmentStore } from './store/client/client.ts';
import { noUsage } from './store/client/usage.ts';
import type { Write } from './store/transactions/write.ts';
import type { Store, Work } from './store/work.ts';

/** A request to the service: its work on the store, which versions it expects, and which projects its caller sees. */
export interface Request extends Work {
  /** The versions of which the thing that is changed must have one, as `If-Match` says; missing where any will do. */
  readonly expectedVersions?: ReadonlySet<number>;
  /**
   * Projects that the caller must not see; missing where there are none. What belongs to them does not exist for the caller,
   * so every read leaves it out. A decision asks `everything` where what it keeps true holds for all projects, such as that a
   * name is free, or that nothing refers to what is removed.
   */
  readonly hiddenProjects?: ReadonlySet<string>;
  /** Environments that its caller changes with approval; missing for the service itself, and where no change needs any. */
  readonly gate?: Gate;
}

/** The environments in which changes of what SDKs get need approval. */
export interface Gate {
  /** Environments by project. */
  readonly protected: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tells whether the caller may do without approval there. The request then relies on that right, as on any other. */
  maySkip(project: string, environment: string): boolean;
  /** Returns the change request of the override by which the request was let through so far, if it was by one. */
  override(): number | undefined;
  /** Returns the conditions that these overrides are still under way, and the record of what is changed under them. */
  besides(writes: readonly Write[]): readonly Write[];
}

/**
 * A request of the service itself, which sees everything. The local server answers several at the same time, so each has an
 * account of its own.
 * @param signal ends what it asks of the store.
 */
export function requestTo(store: Store, signal?: AbortSignal): Request {
  return { store, usage: noUsage(), warnings: new Set(), ...(signal && { signal }) };
}

/** A request to the store that the environment names. */
export function environmentRequest(signal?: AbortSignal): Request {
  return requestTo(environmentStore(), signal);
}

/** A request that sees all projects, for what must hold whatever its caller may see. */
export function everything({ hiddenProjects: _hidden, ...request }: Request): Request {
  return request;
}

/** A request of which nothing is kept for a repeat: for a step before its last one, and for all that it does besides. */
export function withoutReceipt({ receipt: _receipt, ...request }: Request): Request {
  return request;
}

/** A request that is carried out even if its caller loses their rights meanwhile. */
export function withoutAuthority({ authority: _authority, ...request }: Request): Request {
  return request;
}

/**
 * A request that needs no approval: for the application of what was approved, and for the later steps of a change whose
 * first step has passed the gate.
 */
export function withoutGate({ gate: _gate, ...request }: Request): Request {
  return request;
}

/** Tells whether a project, with everything that belongs to it, does not exist for the caller. */
export function isHidden({ hiddenProjects }: Pick<Request, 'hiddenProjects'>, project: string | null | undefined) {
  return project != null && hiddenProjects?.has(project) === true;
}

/** Returns those of the projects that the caller sees. */
export function seenAmong(request: Request, projects: readonly string[]): string[] {
  return projects.filter((project) => !isHidden(request, project));
}

/** Tells whether something of several projects exists for the caller: it is of none, or of one that they see. */
export function isSeenIn(request: Request, projects: readonly string[]): boolean {
  return projects.length === 0 || seenAmong(request, projects).length > 0;
}

/** Tells whether the caller sees all of these projects. */
export function seesAll(request: Request, projects: readonly string[]): boolean {
  return seenAmong(request, projects).length === projects.length;
}
