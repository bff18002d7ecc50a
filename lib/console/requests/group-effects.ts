import { type Effect, toEffect } from '../words/requested-changes.ts';

/** An effect of a change of a request. */
interface ShownEffect {
  readonly effect: Effect;
  /** The reason why an open request would not have this effect now, which was asked for; undefined if it would. */
  readonly note?: string;
}

/** The effects of a request on one flag, or on segments. */
interface FlagEffects {
  /** The name of the flag; undefined for segments. */
  readonly flag: string | undefined;
  readonly effects: readonly ShownEffect[];
  /** The effects without notes. */
  readonly made: readonly Effect[];
}

type Change = Parameters<typeof toEffect>[0] & { readonly id: number };

/** The part of the page of a request that says what it changes. */
interface Page {
  readonly request: {
    readonly features: readonly { readonly name: string; readonly changes: readonly Change[] }[];
    readonly segments: readonly Change[];
    readonly override?: unknown;
  };
  readonly preview?:
    | {
        readonly events: readonly (Effect & { readonly change: number })[];
        readonly conflicts: readonly { readonly change: number }[];
      }
    | undefined;
}

/**
 * Groups the effects of all changes of a request by flag, in the order of the changes: those of applying it now, or those that were asked
 * for if it is closed or an override. A change that would have no effect now shows what was asked for, with a note. Groups with nothing
 * else come last.
 */
export function groupEffects({ request, preview }: Page): FlagEffects[] {
  const current = request.override === undefined ? preview : undefined;
  const byChange = current && Map.groupBy(current.events, ({ change }) => change);
  const listEffects = (changes: readonly Change[], flag?: string) =>
    changes.flatMap((change): ShownEffect[] => {
      const effects = byChange?.get(change.id);
      if (effects !== undefined) return effects.map((effect) => ({ effect }));
      const isRefused = current?.conflicts.some((conflict) => conflict.change === change.id);
      const note = isRefused ? 'Not possible at present' : 'No effect at present';
      return [{ effect: toEffect(change, flag), ...(current && { note }) }];
    });
  const groups = [
    { flag: undefined, effects: listEffects(request.segments) },
    ...request.features.map(({ name, changes }) => ({ flag: name, effects: listEffects(changes, name) })),
  ]
    .filter(({ effects }) => effects.length > 0)
    .map((group) => ({
      ...group,
      made: group.effects.flatMap(({ effect, note }) => (note === undefined ? [effect] : [])),
    }));
  return [...groups.filter(({ made }) => made.length > 0), ...groups.filter(({ made }) => made.length === 0)];
}
