import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getContextFields } from '../calls/context-fields.ts';
import { getSegments } from '../calls/segments.ts';
import { useRead } from '../data/cache.ts';
import type { Audience } from '../preview/audience.ts';
import { listLive } from '../preview/live-strategies.ts';
import type { measureChange } from '../preview/measure-change.ts';
import { percent } from '../words/numbers.ts';
import { describeReach } from '../words/plans.ts';

const users = 1_000;

/** Measures a change with the code that evaluates flags, which is loaded when a dialog needs it. */
const measure: typeof measureChange = async (...change) =>
  (await import('../preview/measure-change.ts')).measureChange(...change);

interface ReachProps {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  /** The strategies that SDKs get after the change. */
  readonly after: readonly StrategyView[];
}

/** The share of made-up users who get a flag before and after a change of its plan: "From 10% to 50% of users". */
export function Reach({ flag, environment, after }: ReachProps): JSX.Element | null {
  const [audience, setAudience] = useState<Audience>();
  const { value: fields } = useRead(getContextFields({}), 60_000);
  const { value: found } = useRead(getSegments({}), 60_000);
  const ids = JSON.stringify(after);
  const segments = useMemo(() => [...(found?.segments ?? []), ...flag.segments], [found, flag.segments]);
  useEffect(() => {
    let isCurrent = true;
    const legalValuesOf = (field: string) =>
      fields?.find(({ name }) => name === field)?.legalValues.map(({ value }) => value) ?? [];
    const [before, later] = [listLive(environment), after].map((strategies) => ({ enabled: true, strategies }));
    if (before === undefined || later === undefined) return;
    measure(flag.feature.name, before, later, segments, legalValuesOf, users).then(
      (measured) => isCurrent && setAudience(measured),
      // Conditions that take too long to evaluate get no number.
      () => isCurrent && setAudience(undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [environment, ids, segments, fields]);
  const shares = [listLive(environment), after].map((strategies) => describeReach({ strategies }));
  const isExact = shares.every((share) => share !== undefined);
  if (audience === undefined && !isExact) return null;
  const [before, later] = isExact
    ? shares
    : [audience?.before, audience?.after].map((count) => percent(count ?? 0, users));
  const note = isExact ? '' : `, counted on ${users.toLocaleString('en')} made-up ones`;
  if (!environment.enabled) {
    return (
      <p>
        The flag is off: nobody gets it until it is switched on, then <b>{later}</b> of users{note}.
      </p>
    );
  }
  return before === later ? (
    <p>
      As now, <b>{later}</b> of users get it{note}.
    </p>
  ) : (
    <p>
      From <b>{before}</b> to <b>{later}</b> of users{note}.
    </p>
  );
}
