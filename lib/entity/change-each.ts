import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { change } from './change.ts';
import { type Effects, noEffects } from './effects.ts';
import type { Entity } from './entity.ts';

/**
 * Changes each thing of a kind that `isMeant` selects, in a transaction of its own. It asks `isMeant` again before each change,
 * since another writer may have changed the thing.
 */
export async function changeEach<T extends object, Id extends string | number>(
  request: Request,
  actor: Actor,
  { list, find, idOf, keyOf }: Entity<T, Id>,
  isMeant: (thing: T) => boolean,
  effectsOn: (found: Versioned<T>) => Effects,
): Promise<void> {
  for (const thing of (await list(request)).filter(isMeant)) {
    const id = idOf(thing);
    await change(request, actor, {
      of: [keyOf(id)],
      read: () => find(request, id),
      revisionOf: (found) => found,
      decide: (found) => {
        if (found === undefined || !isMeant(found.value)) return { ...noEffects, result: undefined };
        return { ...effectsOn(found), result: undefined };
      },
    });
  }
}
