import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { change } from './change.ts';
import { type Effects, noEffects } from './effects.ts';
import type { Entity } from './entity.ts';

/**
 * Changes each selected thing of a kind, in a transaction of its own. `isSelected` is asked again before each change, since another
 * writer may have changed the thing.
 */
export async function changeEach<T extends object, Id extends string | number>(
  request: Request,
  actor: Actor,
  { list, find, idOf, keyOf }: Entity<T, Id>,
  isSelected: (thing: T) => boolean,
  effectsOn: (before: Versioned<T>) => Effects,
): Promise<void> {
  for (const thing of (await list(request)).filter(isSelected)) {
    const id = idOf(thing);
    await change(request, actor, {
      items: [keyOf(id)],
      read: () => find(request, id),
      revisionOf: (before) => before,
      decide: (before) => {
        if (before === undefined || !isSelected(before.value)) return { ...noEffects, result: undefined };
        return { ...effectsOn(before), result: undefined };
      },
    });
  }
}
