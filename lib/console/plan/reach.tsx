import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { listLive } from '../../delivery/preview/live-strategies.ts';
import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getContextFields } from '../calls/context-fields.ts';
import { getSegments } from '../calls/segments.ts';
import { useRead } from '../data/cache.ts';
import { useAudience } from '../preview/use-audience.ts';
import { percent } from '../words/numbers.ts';
import { describeReach } from '../words/plans.ts';

interface ReachProps {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  /** The strategies that SDKs get after the change. */
  readonly after: readonly StrategyView[];
}

/** The share of made-up users who get a flag before and after a change of its plan: "From 10% to 50% of users". */
export function Reach({ flag, environment, after }: ReachProps): JSX.Element | null {
  const { value: fields } = useRead(getContextFields({}), 60_000);
  const { value: all } = useRead(getSegments({}), 60_000);
  const segments = useMemo(() => [...(all?.segments ?? []), ...flag.segments], [all, flag.segments]);
  const live = listLive(environment);
  const audience = useAudience(
    {
      ...{ flag: flag.feature.name, segments },
      before: { enabled: true, strategies: live },
      after: { enabled: true, strategies: after },
      legalValuesOf: (field) => fields?.find(({ name }) => name === field)?.legalValues.map(({ value }) => value) ?? [],
    },
    [environment, JSON.stringify(after), segments, fields],
  );
  const shares = [live, after].map((strategies) => describeReach({ strategies }));
  const isExact = shares.every((share) => share !== undefined);
  if (audience === undefined && !isExact) return null;
  const { users = 0, before: few = 0, after: many = 0 } = audience ?? {};
  const [before, later] = isExact ? shares : [few, many].map((count) => percent(count, users));
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
