import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import * as calls from '../calls/impact-metrics.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { metricTypeNames } from '../words/charts.ts';
import { ChartDialog, type ChartStore } from './chart-dialog.tsx';
import { Charts } from './charts.tsx';
import { NoMetrics } from './no-metrics.tsx';

const metricsPath = calls.getImpactMetricsMetadata({});
const chartsPath = calls.getInstanceImpactMetricsConfig({});

const ofService: ChartStore = {
  save: async (body) => {
    await calls.saveInstanceImpactMetricsConfig({}, { body });
    await reload(chartsPath);
  },
  remove: async (chartId) => {
    await calls.deleteInstanceImpactMetricsConfig({ chartId });
    await reload(chartsPath);
  },
};

/** The metrics of applications, and the saved charts of them. */
export function ImpactMetricsPage(): JSX.Element {
  const { value: start } = useStart();
  const { value: saved, problem: chartsProblem } = useRead(chartsPath, 30_000);
  const { value: known, problem: metricsProblem } = useRead(metricsPath, 30_000);
  const [isNew, setNew] = useState(false);
  const reason =
    start === undefined || isAdmin(start) ? undefined : 'Only Admins can change these charts. Flags have their own.';
  const problem = chartsProblem ?? metricsProblem;
  const retry = () => void Promise.all([reload(chartsPath), reload(metricsPath)]);
  return (
    <main class="page wide">
      <div class="page-head">
        <div class="grow">
          <Heading title="Impact metrics" />
          <p class="page-about">What applications measure beside the flags: orders, queues, response times.</p>
        </div>
        <div class="page-actions">
          <Button icon="plus" kind="solid" reason={reason} onClick={() => setNew(true)}>
            New chart
          </Button>
        </div>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={retry} />}
      {(saved === undefined || known === undefined) && problem === undefined && <Skeleton rows={8} />}
      {saved !== undefined && saved.configs.length > 0 && (
        <section aria-labelledby="charts">
          <h2 id="charts" class="hidden">
            Charts
          </h2>
          <Charts charts={saved.configs} store={ofService} reason={reason} />
        </section>
      )}
      {known?.metrics.length === 0 && (
        <div class="card">
          <NoMetrics />
        </div>
      )}
      {known !== undefined && known.metrics.length > 0 && (
        <section class="metrics" aria-labelledby="metrics">
          <h2 id="metrics" class="charts-title">
            Metrics of the last 31 days
          </h2>
          <div class="card">
            <Table columns={['Name', 'What it measures', 'Type']}>
              {known.metrics.map(({ name, help, type }) => (
                <tr key={name}>
                  <th scope="row" class="mono">
                    {name}
                  </th>
                  <td data-label="What it measures">{help}</td>
                  <td data-label="Type">{metricTypeNames[type]}</td>
                </tr>
              ))}
            </Table>
          </div>
        </section>
      )}
      {isNew && <ChartDialog store={ofService} onClose={() => setNew(false)} />}
    </main>
  );
}
