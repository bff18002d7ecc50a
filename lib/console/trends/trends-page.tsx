import '../parts/filters.css';
import '../impact-metrics/charts.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { here, setQuery } from '../browser/router.ts';
import { getInsights } from '../calls/trends.ts';
import { reload, useRead } from '../data/cache.ts';
import { LineChart } from '../impact-metrics/line-chart.tsx';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { useStart } from '../reader/start.ts';
import { chooseWeekWords, describeWeek, firstDayOf, weekRanges } from '../words/weeks.ts';
import { plotTrends, type TrendChart } from './trend-charts.ts';

/** The weeks that are shown without a choice. */
const usualWeeks = 52;

/** The numbers of flags, changes and users by week, as charts. */
export function TrendsPage(): JSX.Element {
  const { value: start } = useStart();
  const query = new URLSearchParams(here.value.split('?')[1]);
  const project = query.get('project') ?? undefined;
  const weeks = weekRanges.find(([count]) => String(count) === query.get('weeks'))?.[0] ?? usualWeeks;
  const asked = { from: firstDayOf(weeks), ...(project !== undefined && { projects: project }) };
  const path = getInsights({}, asked);
  const { value, problem } = useRead(path, 60_000);
  const charts = useMemo(() => value && plotTrends(value, project !== undefined), [value, project]);
  const hasFlags = value !== undefined && value.flagTrends.length > 0;
  return (
    <main class="page wide">
      <div class="page-head">
        <div class="grow">
          <Heading title="Trends" />
          <p class="page-about">
            How flags are created, used and archived, by week. The current week is dotted, as it was at most 15 minutes
            ago.
          </p>
        </div>
        <div class="page-actions">
          <a class="button plain" href={getInsights({}, { ...asked, format: 'csv' })} download="trends.csv">
            Download CSV
          </a>
        </div>
      </div>
      <div class="filters">
        <select
          class="input choice wide"
          aria-label="Project"
          value={project ?? ''}
          onChange={(event) => setQuery({ project: event.currentTarget.value || undefined })}
        >
          <option value="">All projects</option>
          {start?.projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {project !== undefined && !start?.projects.some(({ id }) => id === project) && (
            <option value={project}>{project}</option>
          )}
        </select>
        <select
          class="input choice"
          aria-label="Time"
          value={String(weeks)}
          onChange={(event) => setQuery({ weeks: event.currentTarget.value })}
        >
          {weekRanges.map(([count, name]) => (
            <option key={count} value={String(count)}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={10} />}
      {value !== undefined && !hasFlags && (
        <div class="card">
          <Empty
            icon="trending-up"
            title="No flags in this time"
            action={
              project !== undefined && <Button onClick={() => setQuery({ project: undefined })}>All projects</Button>
            }
          >
            Trends begin with the week of the first flag.
          </Empty>
        </div>
      )}
      {hasFlags && (
        <div class="charts">
          {charts?.map((chart) => (
            <ChartCard key={chart.id} chart={chart} />
          ))}
        </div>
      )}
    </main>
  );
}

function ChartCard({ chart: { id, title, about, plot } }: { readonly chart: TrendChart }): JSX.Element {
  return (
    <section class="card chart-card" aria-labelledby={`chart-${id}`}>
      <div class="chart-head">
        <div class="grow">
          <h2 id={`chart-${id}`}>{title}</h2>
          <p class="muted">{about}</p>
        </div>
      </div>
      <LineChart
        name={title}
        plot={plot}
        describeShortly={chooseWeekWords(plot.start, plot.end)}
        describeExactly={describeWeek}
      />
    </section>
  );
}
