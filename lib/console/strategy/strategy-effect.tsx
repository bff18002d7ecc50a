import './strategy-effect.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { Audience } from '../preview/audience.ts';
import { measureChange } from '../preview/measure-change.ts';
import { percent } from '../words/numbers.ts';
import { describeOff, describeShare } from './describe-effect.ts';
import type { Draft } from './draft.ts';

interface EffectProps {
  readonly flag: ConsoleFlag;
  readonly environment: string;
  readonly strategyId: string | undefined;
  readonly draft: Draft;
  readonly segments: readonly { readonly id: number; readonly constraints: readonly Constraint[] }[];
  readonly fields: readonly { readonly name: string; readonly legalValues: readonly string[] }[];
}

/** Made-up users that are evaluated while somebody types, and once they pause. */
const [quickUsers, allUsers] = [300, 1_000];

/** Milliseconds after which somebody who types counts as having paused. */
const pauseMs = 250;

/** Shows the share of made-up users who get the flag now, and after the change that is being edited. */
export function StrategyEffect(props: EffectProps): JSX.Element {
  const [audience, setAudience] = useState<Audience>();
  const [isTooMuch, setTooMuch] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const show = async (users: number) => {
      const found = await measure(props, users).catch(() => undefined);
      if (!isCurrent) return;
      setAudience(found);
      setTooMuch(found === undefined);
    };
    void show(quickUsers);
    const timer = setTimeout(() => show(allUsers), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [props.flag, props.draft, props.segments, props.fields]);
  const isOn = isOnIn(props.flag, props.environment);
  const off = audience && describeOff(props.environment, isOn, audience);
  const share = describeShare(props.draft);
  return (
    <section class="card effect-card" aria-labelledby="effect">
      <h2 id="effect">What it does</h2>
      {isTooMuch && <p class="muted">These conditions take more work than one request may.</p>}
      {audience !== undefined && (
        <>
          {off !== undefined && <p>{off}</p>}
          <p class="effect-share" role="status">
            <b>{percent(audience.after, audience.users)}</b> of users {isOn ? 'get it' : 'would get it'}
            <span class="muted">today {percent(audience.before, audience.users)}</span>
          </p>
          <span class={isOn ? 'meter effect-meter' : 'meter effect-meter off'} aria-hidden="true">
            <span style={{ width: `${((audience.after - audience.gained) / audience.users) * 100}%` }} />
            <span class="gained" style={{ width: `${(audience.gained / audience.users) * 100}%` }} />
          </span>
          {isOn && (
            <p class="effect-changes">
              <span class="up">+ {percent(audience.gained, audience.users)} newly</span>
              <span class="down">− {percent(audience.lost, audience.users)} no longer</span>
            </p>
          )}
          <p class="muted">Of {audience.users.toLocaleString('en')} made-up users, by all strategies here.</p>
          {share !== undefined && <p class="muted">This strategy: {share}.</p>}
        </>
      )}
    </section>
  );
}

function isOnIn({ feature }: ConsoleFlag, environment: string): boolean {
  return feature.environments.find(({ name }) => name === environment)?.enabled ?? false;
}

function measure(props: EffectProps, users: number): Promise<Audience> {
  const { flag, environment, strategyId, draft, segments, fields } = props;
  const { name, environments } = flag.feature;
  const { enabled = false, strategies = [] } = environments.find((each) => each.name === environment) ?? {};
  const replaced = strategies.map((strategy) => (strategy.id === strategyId ? { ...strategy, ...draft } : strategy));
  return measureChange(
    name,
    { enabled, strategies },
    // A strategy of a flag that is off says what it would do.
    { enabled: true, strategies: strategyId === undefined ? [...replaced, draft] : replaced },
    [...segments, ...flag.segments],
    (field) => fields.find((each) => each.name === field)?.legalValues ?? [],
    users,
  );
}
