import './sparkline.css';
import type { JSX } from 'preact';
import { percent, shortCount } from '../words/numbers.ts';

interface SparklineProps {
  /** Evaluations by hour, the oldest first. */
  readonly yes: readonly number[];
  readonly no: readonly number[];
}

const width = 240;
const height = 44;

/**
 * The evaluations of a day. Each hour has a bar for all of them; a line is for those that answered yes. The last hour is not over: its bar is
 * lighter, and the line to it dotted.
 */
export function Sparkline({ yes, no }: SparklineProps): JSX.Element {
  const totals = yes.map((count, hour) => count + (no[hour] ?? 0));
  const highest = Math.max(1, ...totals);
  const step = width / Math.max(1, yes.length);
  const heightOf = (count: number) => height - 2 - (count / highest) * (height - 6);
  const points = yes.map((count, hour) => `${(hour * step + step / 2).toFixed(1)} ${heightOf(count).toFixed(1)}`);
  const [whole, last] = [points.slice(0, -1), points.slice(-2)].map((some) =>
    some.length > 0 ? `M${some.join('L')}` : '',
  );
  const lastWhole = (points.length - 1.5) * step;
  const all = totals.reduce((sum, count) => sum + count, 0);
  const on = yes.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${shortCount(all)} calls in 24 hours, ${percent(on, all)} on`}
    >
      {totals.map((count, hour) => (
        <rect
          key={hour}
          class={hour < totals.length - 1 ? 'sparkline-bar' : 'sparkline-bar unfinished'}
          x={hour * step + 1}
          width={Math.max(1, step - 2)}
          y={heightOf(count)}
          height={height - 2 - heightOf(count)}
          rx="1"
        />
      ))}
      {whole !== '' && (
        <path class="sparkline-area" d={`${whole}L${lastWhole} ${height - 2}L${step / 2} ${height - 2}Z`} />
      )}
      <path class="sparkline-line" d={whole} />
      <path class="sparkline-line unfinished" d={last} />
    </svg>
  );
}
