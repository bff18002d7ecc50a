import type { Agent } from './agent-schema.ts';

/** The author of an event or a comment. */
export interface Author {
  readonly id: number;
  readonly name: string;
  /** The full name of a person, if known. Events do not contain it. */
  readonly fullName?: string;
  /** The agent that acts for the author. It reads what the author may read, and writes change requests only. */
  readonly agent?: Agent;
}

declare const isPermitted: unique symbol;

/**
 * The proof that a permission was checked. Every change takes an actor with it, so a change without a check does not compile. Only
 * `requirePermission` and the chain of an endpoint turn a caller into an actor.
 */
export interface PermissionProof {
  readonly [isPermitted]: true;
}

/** An author whose permission was checked. */
export type Actor = Author & PermissionProof;

/** Permits an author to change their own data, which needs no permission. The caller must have verified who they are. */
export function permitForOwnData({ id, name }: Author): Actor {
  return { id, name } as Author as Actor;
}

/** The service itself, with Unleash's id for it. It needs no permission. */
export const systemUser = { id: -1337, name: 'unleash_system_user' } as Author as Actor;

/** A directory that manages people by SCIM, which has no account. It needs no permission, since it has a token of its own. */
export const directoryActor = { id: -1338, name: 'SCIM' } as Author as Actor;
