/** Author of a change, as events show it. */
export interface Author {
  readonly id: number;
  readonly name: string;
  /** The full name of a person, where it is known; events do not show it. */
  readonly fullName?: string;
}

declare const isPermitted: unique symbol;

/**
 * The proof that an author was asked for a permission, which every change takes: one that nobody was asked for does not
 * compile. Only `requirePermission` and the chain of an endpoint make one of a caller.
 */
export interface Proof {
  readonly [isPermitted]: true;
}

/** Author who may make a change. */
export type Actor = Author & Proof;

/** Returns the author of a change to what is their own, by a secret that only they have: it takes no permission. */
export function asThemselves({ id, name }: Author): Actor {
  return { id, name } as Author as Actor;
}

/** The service itself, under Unleash's id for it, which needs no permission. */
export const systemUser = { id: -1337, name: 'unleash_system_user' } as Author as Actor;
