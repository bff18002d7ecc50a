import type { JSX } from 'preact';
import { toServedState } from '../../delivery/preview/live-strategies.ts';
import { stateAfter } from '../../delivery/preview/state-after.ts';
import { useAudience } from '../preview/use-audience.ts';
import { percent } from '../words/numbers.ts';
import type { Effect } from '../words/requested-changes.ts';
import type { PartProps } from './request-parts.ts';

interface EffectProps extends Pick<PartProps, 'page'> {
  readonly flag: string;
  readonly effects: readonly Effect[];
}

/** Shows the share of made-up users who get a flag now and after the request: "46% → 67% of made-up users". */
export function ChangeEffect({ page, flag, effects }: EffectProps): JSX.Element | null {
  const { request, features, segments, contextFields } = page;
  const feature = features.find(({ name }) => name === flag);
  const before = feature?.environments.find(({ name }) => name === request.environment);
  const areSegmentsChanged = request.segments.length > 0;
  const change =
    before === undefined || areSegmentsChanged
      ? undefined
      : {
          ...{ flag, segments, before: toServedState(before), after: toServedState(stateAfter(before, effects)) },
          legalValuesOf: (field: string) => contextFields.find(({ name }) => name === field)?.legalValues ?? [],
        };
  const audience = useAudience(change, [before, effects, contextFields, segments]);
  // The sentence about the change is enough without a number.
  if (audience === undefined) return null;
  return (
    <span class="change-effect">
      {percent(audience.before, audience.users)}
      <span aria-hidden="true"> → </span>
      <span class="hidden"> becomes </span>
      <b>{percent(audience.after, audience.users)}</b> of made-up users
    </span>
  );
}
