import './strategy-effect.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AudienceCounts } from '../../delivery/preview/audience.ts';
import { type FlagState, toServedState } from '../../delivery/preview/live-strategies.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { measureChange } from '../preview/measure-change.ts';
import { percent } from '../words/numbers.ts';
import { describeOff, describeShare } from './describe-effect.ts';
import type { Draft } from './draft.ts';

interface EffectProps {
  /** The flag as it is today. */
  readonly flag: ConsoleFlag;
  /** The flag with the edits. */
  readonly edited: ConsoleFlag;
  readonly environment: string;
  /** The milestone of the strategy, while it is not active. */
  readonly milestone: string | undefined;
  readonly draft: Draft;
  readonly fields: readonly { readonly name: string; readonly legalValues: readonly string[] }[];
}

/** Made-up users that are evaluated while somebody types, and once they pause. */
const [quickUsers, allUsers] = [300, 1_000];

/** Milliseconds after which somebody who types counts as having paused. */
const pauseMs = 250;

/** Shows the share of made-up users who get the flag now, and after the change that is being edited. */
export function StrategyEffect(props: EffectProps): JSX.Element {
  const [audience, setAudience] = useState<AudienceCounts>();
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
  }, [props.flag, props.edited, props.fields]);
  const isOn = stateOf(props.flag, props.environment).enabled;
  const isLive = isOn && props.milestone === undefined;
  const off = audience && describeOff({ environment: props.environment, isOn, milestone: props.milestone }, audience);
  const share = describeShare(props.draft);
  return (
    <section class="card effect-card" aria-labelledby="effect">
      <h2 id="effect">What it does</h2>
      {isTooMuch && <p class="muted">These conditions take more work than one request may.</p>}
      {audience !== undefined && (
        <>
          {off !== undefined && <p>{off}</p>}
          <p class="effect-share" role="status">
            <b>{percent(audience.after, audience.users)}</b> of users {isLive ? 'get it' : 'would get it'}
            <span class="muted">today {percent(audience.before, audience.users)}</span>
          </p>
          <span class={isLive ? 'meter effect-meter' : 'meter effect-meter off'} aria-hidden="true">
            <span style={{ width: `${((audience.after - audience.gained) / audience.users) * 100}%` }} />
            <span class="gained" style={{ width: `${(audience.gained / audience.users) * 100}%` }} />
          </span>
          {isLive && (
            <p class="effect-changes">
              <span class={audience.gained > 0 ? 'up' : 'muted'}>
                + {percent(audience.gained, audience.users)} newly
              </span>
              <span class={audience.lost > 0 ? 'down' : 'muted'}>
                − {percent(audience.lost, audience.users)} no longer
              </span>
            </p>
          )}
          <p class="muted">
            Counted on {audience.users.toLocaleString('en')} made-up users, by all strategies here. Yours may differ.
          </p>
          {share !== undefined && <p class="muted">This strategy: {share}.</p>}
        </>
      )}
    </section>
  );
}

function measure({ flag, edited, environment, fields }: EffectProps, users: number): Promise<AudienceCounts> {
  return measureChange(
    flag.feature.name,
    stateOf(flag, environment),
    stateOf(edited, environment),
    edited.segments,
    (field) => fields.find((each) => each.name === field)?.legalValues ?? [],
    users,
  );
}

function stateOf({ feature }: ConsoleFlag, environment: string): FlagState {
  const state = feature.environments.find(({ name }) => name === environment);
  return state === undefined ? { enabled: false, strategies: [] } : toServedState(state);
}
