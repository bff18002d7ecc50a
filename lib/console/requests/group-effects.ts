import { type Effect, toEffect } from '../words/requested-changes.ts';

/** The effects of a request on one flag, or on segments. */
interface FlagEffects {
  /** The name of the flag; undefined for segments. */
  readonly flag: string | undefined;
  readonly effects: readonly Effect[];
  /** True if an open request would change nothing of it now. The effects are then those that were asked for. */
  readonly isIdle: boolean;
}

type Change = Parameters<typeof toEffect>[0];

/** The part of the page of a request that says what it changes. */
interface Page {
  readonly request: {
    readonly features: readonly { readonly name: string; readonly changes: readonly Change[] }[];
    readonly segments: readonly Change[];
    readonly override?: unknown;
  };
  readonly preview?: { readonly events: readonly Effect[] } | undefined;
}

/** Groups the effects of a request by flag: those of applying it now, or those that were asked for if it is closed or an override. */
export function groupEffects({ request, preview }: Page): FlagEffects[] {
  const requested = [
    ...request.features.flatMap(({ name, changes }) => changes.map((change) => toEffect(change, name))),
    ...request.segments.map((change) => toEffect(change)),
  ];
  const effects = preview === undefined || request.override !== undefined ? requested : preview.events;
  const grouped = Map.groupBy(effects, ({ featureName }) => featureName);
  const asked = Map.groupBy(requested, ({ featureName }) => featureName);
  return [
    ...[...grouped].map(([flag, found]) => ({ flag, effects: found, isIdle: false })),
    ...[...asked]
      .filter(([flag]) => !grouped.has(flag))
      .map(([flag, found]) => ({ flag, effects: found, isIdle: true })),
  ];
}
