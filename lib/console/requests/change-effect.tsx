import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Audience } from '../preview/audience.ts';
import type { measureChange } from '../preview/measure-change.ts';
import { stateAfter, toServedState } from '../preview/state-after.ts';
import { percent } from '../words/numbers.ts';
import type { Effect } from '../words/requested-changes.ts';
import type { PartProps } from './request-parts.ts';

/** The number of made-up users. With it, each share is exact to about 1%. */
const users = 1_000;

/** Measures a change with the code that evaluates flags, which is loaded after the page is drawn. */
const measure: typeof measureChange = async (...change) =>
  (await import('../preview/measure-change.ts')).measureChange(...change);

interface EffectProps extends Pick<PartProps, 'page'> {
  readonly flag: string;
  readonly effects: readonly Effect[];
}

/** Shows the share of made-up users who get a flag now and after the request: "46% → 67% of made-up users". */
export function ChangeEffect({ page, flag, effects }: EffectProps): JSX.Element | null {
  const [audience, setAudience] = useState<Audience>();
  const { request, features, segments, contextFields } = page;
  const feature = features.find(({ name }) => name === flag);
  const before = feature?.environments.find(({ name }) => name === request.environment);
  const areSegmentsChanged = request.segments.length > 0;
  useEffect(() => {
    if (before === undefined || areSegmentsChanged) return;
    let isCurrent = true;
    const legalValuesOf = (field: string) => contextFields.find(({ name }) => name === field)?.legalValues ?? [];
    const [now, after] = [toServedState(before), toServedState(stateAfter(before, effects))];
    measure(flag, now, after, segments, legalValuesOf, users).then(
      (found) => isCurrent && setAudience(found),
      // Conditions that take too long to evaluate get no number. The sentence about the change is enough.
      () => isCurrent && setAudience(undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [before, effects, contextFields, segments]);
  if (audience === undefined) return null;
  return (
    <span class="change-effect">
      {percent(audience.before, users)}
      <span aria-hidden="true"> → </span>
      <span class="hidden"> becomes </span>
      <b>{percent(audience.after, users)}</b> of made-up users
    </span>
  );
}
