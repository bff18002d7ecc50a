import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { getInstanceAdminStats, getInstanceTraffic, getUiConfig, statisticsCsv } from '../calls/settings.ts';
import { reload, useRead } from '../data/cache.ts';
import { Meter } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { useStart } from '../reader/start.ts';
import { shortCount } from '../words/numbers.ts';
import { listLimits, listNumbers, sumTraffic } from './instance-words.ts';

const everyMs = 60_000;
const daysShown = 30;

/** The version, the numbers of things beside their limits, and the calls of the last 30 days. */
export function InstanceFacts(): JSX.Element {
  const { value: start } = useStart();
  const { value: statistics, problem } = useRead(getInstanceAdminStats({}), everyMs);
  const { value: config } = useRead(getUiConfig({}), everyMs);
  return (
    <>
      <section class="section card form-card" aria-labelledby="version">
        <h2 id="version">Version</h2>
        <dl class="instance-facts">
          <dt>Flagstaff</dt>
          <dd class="mono">{start?.version ?? '…'}</dd>
          <dt>Instance</dt>
          <dd class="mono">{statistics?.instanceId ?? '…'}</dd>
        </dl>
      </section>
      <section class="section card form-card" aria-labelledby="limits">
        <h2 id="limits">Limits</h2>
        {problem !== undefined && <Problem problem={problem} onRetry={() => reload(getInstanceAdminStats({}))} />}
        {statistics === undefined && problem === undefined && <Skeleton rows={5} />}
        {statistics !== undefined && config !== undefined && (
          <ul class="limits">
            {listLimits(statistics, config.resourceLimits).map(({ name, used, limit }) => (
              <li key={name}>
                <span>{name}</span>
                <Meter value={(used / limit) * 100} />
                <span class="muted">
                  {used.toLocaleString('en')} of {limit.toLocaleString('en')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <TrafficSection />
      <section class="section card form-card" aria-labelledby="numbers">
        <div class="section-head">
          <h2 id="numbers">Numbers</h2>
          <a class="link" href={statisticsCsv} download="statistics.csv">
            CSV
          </a>
        </div>
        {statistics !== undefined && (
          <dl class="instance-facts">
            {listNumbers(statistics).flatMap(([name, value]) => [
              <dt key={`${name} name`}>{name}</dt>,
              <dd key={name}>{value}</dd>,
            ])}
          </dl>
        )}
      </section>
    </>
  );
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const dayMs = 24 * 60 * 60 * 1_000;

function TrafficSection(): JSX.Element {
  const path = useMemo(() => {
    const now = Date.now();
    return getInstanceTraffic({}, { grouping: 'daily', from: dayOf(now - (daysShown - 1) * dayMs), to: dayOf(now) });
  }, []);
  const { value, problem } = useRead(path, everyMs);
  const traffic = value === undefined ? [] : sumTraffic(value);
  return (
    <section class="section card form-card" aria-labelledby="traffic">
      <h2 id="traffic">Calls of the last 30 days</h2>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={3} />}
      {value !== undefined && traffic.every(({ calls }) => calls === 0) && (
        <Empty icon="activity" title="No calls yet">
          They appear a minute after they were answered.
        </Empty>
      )}
      {traffic.map(({ path: apiPath, name, calls, errors, days }) => {
        const highest = Math.max(1, ...days.map((day) => day.calls));
        return (
          <div key={apiPath} class="traffic">
            <p>
              <b>{name}</b> <span class="muted mono">{apiPath}</span>
            </p>
            {calls > 0 && (
              <svg
                viewBox={`0 0 ${daysShown * 8} 40`}
                preserveAspectRatio="none"
                role="img"
                aria-label={`${shortCount(calls)} calls to ${apiPath}`}
              >
                {days.map((day, index) => (
                  <rect
                    key={day.period}
                    x={(daysShown - days.length + index) * 8 + 1}
                    width={6}
                    y={40 - (day.calls / highest) * 38}
                    height={(day.calls / highest) * 38}
                  >
                    <title>{`${day.period}: ${day.calls}`}</title>
                  </rect>
                ))}
              </svg>
            )}
            <p class="muted">
              {shortCount(calls)} calls{errors > 0 && `, ${shortCount(errors)} refused or failed`}
            </p>
          </div>
        );
      })}
    </section>
  );
}
