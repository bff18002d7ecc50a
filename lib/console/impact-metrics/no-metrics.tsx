import type { JSX } from 'preact';
import { Empty } from '../parts/states.tsx';

/** Shown while no application has reported an impact metric. */
export function NoMetrics(): JSX.Element {
  return (
    <Empty icon="activity" title="No application has reported an impact metric">
      Define one in an SDK, such as <code>unleash.impactMetrics.defineCounter('orders', 'Orders')</code>. It appears
      about a minute after its first report.
    </Empty>
  );
}
