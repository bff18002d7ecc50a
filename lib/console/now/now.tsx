import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ConsoleNow, NowFlag } from '../../screens/now-schema.ts';
import { getConsoleNow } from '../calls/flags.ts';
import { reasonAgainstSwitch, type SwitchPlace } from '../change/change-way.ts';
import { reload, useRead } from '../data/cache.ts';
import { SwitchDialog } from '../flag/switch-dialog.tsx';
import { switchFlag } from '../flag/switching.ts';
import { ButtonLink } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Tag } from '../parts/small.tsx';
import { Banner, Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useStart } from '../reader/start.ts';
import { percent, shortCount } from '../words/numbers.ts';
import { describeSpan } from '../words/times.ts';
import { findFlags, flagsToShow } from './flags-to-show.ts';
import './now.css';

const path = getConsoleNow({});

/** Milliseconds between two reads: it is the page of an incident. */
const everyMs = 10_000;

type State = NowFlag['environments'][number];

interface Asked {
  readonly flag: NowFlag;
  readonly state: State;
  readonly isOn: boolean;
}

/** The page for an incident, made for a phone: the switches of production, and what changed in the last hour. */
export function Now(): JSX.Element {
  const { value: now, problem } = useRead(path, everyMs);
  const { value: start } = useStart();
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState<Asked>();
  const changed = useMemo(() => new Set(now?.events.map(({ featureName }) => featureName)), [now]);
  const flags = useMemo(() => {
    if (now === undefined) return [];
    return search === '' ? flagsToShow(now.flags, changed) : findFlags(now.flags, search);
  }, [now, search, changed]);

  const { count, end } = useMoreRows(now?.events.length ?? 0);
  // Those of the reader are in the bar of every page.
  const others = (start?.overrides ?? []).filter(({ createdBy }) => createdBy.id !== start?.user.id);
  return (
    <main class="page now">
      <div class="page-head">
        <Heading title="Now" />
        <span class="muted">Production</span>
      </div>
      {others.map(({ id, createdBy, project, environment, reason, until }) => (
        <Banner
          key={id}
          tone="warn"
          icon="zap"
          title={`${createdBy.name} overrides approval in ${project} / ${environment}`}
          action={<ButtonLink href={`/projects/${project}/change-requests/${id}`}>Look</ButtonLink>}
        >
          {reason}. {describeSpan((new Date(until).getTime() - Date.now()) / 1_000)} left.
        </Banner>
      ))}
      <SearchField label="Find a flag" value={search} onInput={setSearch} isBig />
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      <section aria-labelledby="now-flags">
        <h2 id="now-flags">
          {search === '' ? 'Starred, kill switches and just changed' : `${flags.length} found`}
          <span class="muted">share and calls of the last hour</span>
        </h2>
        <div class="card">
          {now === undefined && problem === undefined && <Skeleton rows={4} />}
          {now !== undefined && flags.length === 0 && (
            <Empty icon="search" title={search === '' ? 'No flag is starred' : 'No flag matches'}>
              {search === '' ? 'Star the flags that you would need in a hurry.' : 'Try another part of its name.'}
            </Empty>
          )}
          <ul>
            {flags.flatMap((flag) =>
              flag.environments.map((state) => (
                <Row
                  key={`${flag.name} ${state.name}`}
                  flag={flag}
                  state={state}
                  isChanged={changed.has(flag.name)}
                  reason={reasonAgainstSwitch(start, placeOf(flag, state))}
                  onSwitch={(isOn) => setAsked({ flag, state, isOn })}
                />
              )),
            )}
          </ul>
        </div>
      </section>
      <section aria-labelledby="now-events">
        <h2 id="now-events">Last hour</h2>
        <div class="card">
          {now === undefined && problem === undefined && <Skeleton rows={5} />}
          {now?.events.length === 0 && (
            <Empty icon="check" title="Nobody changed anything">
              If something broke, it was not a flag.
            </Empty>
          )}
          {now !== undefined && now.events.length > 0 && (
            <Timeline
              events={now.events.slice(0, count)}
              namesFlags
              isFaint={({ environment }) => environment !== null && !isProduction(now, environment)}
            />
          )}
          <div ref={end} />
        </div>
      </section>
      {asked !== undefined && (
        <SwitchDialog
          place={placeOf(asked.flag, asked.state)}
          isOn={asked.isOn}
          onPerHour={asked.state.yes}
          onSwitch={() =>
            switchFlag(placeOf(asked.flag, asked.state), asked.isOn, {
              path,
              show: (value, isOn) => showSwitched(value, asked, isOn),
            })
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </main>
  );
}

function placeOf(flag: NowFlag, state: State): SwitchPlace {
  return { flag: flag.name, project: flag.project, environment: state.name, approvals: state.approvals };
}

function isProduction({ flags }: ConsoleNow, environment: string): boolean {
  return flags.some(({ environments }) => environments.some(({ name }) => name === environment));
}

function showSwitched(now: ConsoleNow, { flag, state }: Asked, isOn: boolean): ConsoleNow {
  const isSwitched = (each: NowFlag) => each.name === flag.name && each.project === flag.project;
  const show = (each: NowFlag) => ({
    ...each,
    environments: each.environments.map((environment) =>
      environment.name === state.name ? { ...environment, enabled: isOn } : environment,
    ),
  });
  return { ...now, flags: now.flags.map((each) => (isSwitched(each) ? show(each) : each)) };
}

interface RowProps {
  readonly flag: NowFlag;
  readonly state: State;
  readonly isChanged: boolean;
  readonly reason: string | undefined;
  readonly onSwitch: (isOn: boolean) => void;
}

function Row({ flag, state, isChanged, reason, onSwitch }: RowProps): JSX.Element {
  const { name, project, type, environments } = flag;
  const calls = state.yes + state.no;
  const facts = [
    project,
    ...(environments.length > 1 ? [state.name] : []),
    ...(type === 'kill-switch' ? ['kill switch'] : []),
    ...(calls > 0 ? [`${percent(state.yes, calls)} of ${shortCount(calls)}`] : []),
  ];
  return (
    <li class="now-row">
      <div class="grow">
        <a class="mono" href={`/projects/${project}/features/${name}`}>
          {name}
        </a>
        <p>{facts.join(' · ')}</p>
        {isChanged && <Tag tone="warn">Changed in the last hour</Tag>}
      </div>
      <Switch isBig isOn={state.enabled} label={`${name} in ${state.name}`} reason={reason} onSwitch={onSwitch} />
    </li>
  );
}
