import type { JSX } from 'preact';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { deleteFeatureImpactMetricsConfig, saveFeatureImpactMetricsConfig } from '../calls/impact-metrics.ts';
import { reload } from '../data/cache.ts';
import { ChartDialog, type ChartStore } from '../impact-metrics/chart-dialog.tsx';
import { Charts } from '../impact-metrics/charts.tsx';
import { mayIn, useStart } from '../reader/start.ts';

/** The saved charts of a flag. */
export function FlagCharts({ flag }: { readonly flag: ConsoleFlag }): JSX.Element {
  const { value: start } = useStart();
  const { project } = flag.feature;
  const mayChange = start === undefined || mayIn(start, 'UPDATE_FEATURE', project);
  const reason = mayChange ? undefined : `Needs the permission to edit flags in ${project}.`;
  return (
    <section aria-labelledby="charts">
      <h2 id="charts" class="charts-title">
        Impact metrics
      </h2>
      <Charts charts={flag.charts} store={chartStoreOf(flag)} reason={reason} />
    </section>
  );
}

/** A new chart of a flag as a form. */
export function NewFlagChart({ flag, onClose }: { readonly flag: ConsoleFlag; readonly onClose: () => void }) {
  return <ChartDialog store={chartStoreOf(flag)} onClose={onClose} />;
}

function chartStoreOf({ feature: { project, name } }: ConsoleFlag): ChartStore {
  const values = { projectId: project, featureName: name };
  return {
    save: async (body) => {
      await saveFeatureImpactMetricsConfig(values, { body });
      await reload(getConsoleFlag(values));
    },
    remove: async (chartId) => {
      await deleteFeatureImpactMetricsConfig({ ...values, chartId });
      await reload(getConsoleFlag(values));
    },
  };
}
