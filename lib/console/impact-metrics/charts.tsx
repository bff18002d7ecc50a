import './charts.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImpactChartView } from '../../usage/impact-metrics/chart-schema.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { describeChart, nameOfChart } from '../words/charts.ts';
import { ChartBody } from './chart-body.tsx';
import { ChartDialog, type ChartStore } from './chart-dialog.tsx';

interface ChartsProps {
  readonly charts: readonly ImpactChartView[];
  readonly store: ChartStore;
  /** The reason why the reader may not change them. */
  readonly reason: string | undefined;
}

/** Saved charts of impact metrics. */
export function Charts({ charts, store, reason }: ChartsProps): JSX.Element {
  const [edited, setEdited] = useState<ImpactChartView>();
  const [removed, setRemoved] = useState<ImpactChartView>();
  return (
    <>
      <div class="charts">
        {charts.map((chart) => (
          <section key={chart.id} class="card chart-card" aria-labelledby={`chart-${chart.id}`}>
            <div class="chart-head">
              <div class="grow">
                <h3 id={`chart-${chart.id}`}>{nameOfChart(chart)}</h3>
                <p class="muted">{describeChart(chart)}</p>
              </div>
              <Button
                kind="quiet"
                icon="pencil"
                aria-label={`Edit ${nameOfChart(chart)}`}
                reason={reason}
                onClick={() => setEdited(chart)}
              />
              <Button
                kind="quiet"
                icon="trash"
                aria-label={`Remove ${nameOfChart(chart)}`}
                reason={reason}
                onClick={() => setRemoved(chart)}
              />
            </div>
            <ChartBody chart={chart} />
          </section>
        ))}
      </div>
      {edited !== undefined && <ChartDialog chart={edited} store={store} onClose={() => setEdited(undefined)} />}
      {removed !== undefined && (
        <Confirm
          title={`Remove the chart ${nameOfChart(removed)}?`}
          verb="Remove"
          isDanger
          act={() => store.remove(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>It is gone for everybody. The metric and its values stay.</p>
        </Confirm>
      )}
    </>
  );
}
