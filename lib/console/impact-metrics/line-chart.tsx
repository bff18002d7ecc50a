import './line-chart.css';
import type { JSX } from 'preact';
import { Table } from '../parts/table.tsx';
import { shortValue } from '../words/impact-metrics.ts';
import { countOf } from '../words/numbers.ts';
import { type Line, lastOf, type Plot } from './plot-lines.ts';

/** The most lines that a chart shows. More of them are hard to tell apart. */
const linesMax = 10;

interface LineChartProps {
  readonly name: string;
  readonly plot: Plot;
  /** Describes a time in seconds since 1970, shortly below the chart, and exactly in the table. */
  readonly describeShortly: (time: number) => string;
  readonly describeExactly: (time: number) => string;
}

/** Values over time as lines, with a legend, and with all values in a table. The line to an hour or week that is not over is dotted. */
export function LineChart({ name, plot, describeShortly, describeExactly }: LineChartProps): JSX.Element {
  const lines = plot.lines.slice(0, linesMax);
  const hiddenCount = plot.lines.length - lines.length;
  const isOneTime = plot.start === plot.end;
  // A month is named once, however many weeks of it there are.
  const times = [...new Set([plot.start, (plot.start + plot.end) / 2, plot.end].map(describeShortly))];
  return (
    <div class="chart">
      <div class="chart-plot">
        <div class="chart-values" aria-hidden="true">
          {plot.ticks.toReversed().map((tick) => (
            <span key={tick}>{shortValue(tick)}</span>
          ))}
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={summarize(name, lines)}>
          {plot.ticks.map((tick, index) => {
            const y = 100 - (index / (plot.ticks.length - 1)) * 100;
            return <path key={tick} class="chart-grid" d={`M0 ${y}H100`} />;
          })}
          {lines.map((line, index) => {
            const look = `chart-line chart-${index % 5} ${isOneTime ? 'alone' : ''}`;
            return (
              <g key={line.name}>
                <path class={`${look} ${index < 5 ? '' : 'dashed'}`} d={line.path} />
                <path class={`${look} unfinished`} d={line.unfinished} />
              </g>
            );
          })}
        </svg>
        <div class={`chart-times ${isOneTime ? 'alone' : ''}`} aria-hidden="true">
          {times.map((time) => (
            <span key={time}>{time}</span>
          ))}
        </div>
      </div>
      <ul class="chart-legend">
        {lines.map(({ name: line, values }, index) => (
          <li key={line}>
            <svg viewBox="0 0 16 4" aria-hidden="true">
              <path class={`chart-line chart-${index % 5} ${index < 5 ? '' : 'dashed'}`} d="M0 2H16" />
            </svg>
            <span class="clip">{line}</span> <b>{shortValue(lastOf(values))}</b>
          </li>
        ))}
        {hiddenCount > 0 && <li>and {countOf(hiddenCount, 'smaller one')}</li>}
      </ul>
      <details>
        <summary>
          Values as a table<span class="hidden"> of {name}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <section class="chart-table" aria-label={`Values of ${name}`} tabIndex={0}>
          <Table columns={['Time', ...lines.map((line) => line.name)]}>
            {plot.times.toReversed().map((time) => (
              <tr key={time}>
                <th scope="row">
                  {describeExactly(time)}
                  {plot.isUnfinished(time) && ', not over yet'}
                </th>
                {lines.map((line) => (
                  <td key={line.name} data-label={line.name}>
                    {line.values.get(time) ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        </section>
      </details>
    </div>
  );
}

function summarize(name: string, lines: readonly Line[]): string {
  const latest = lines.map((line) => `${line.name} ${shortValue(lastOf(line.values))}`);
  return `${name}, latest values: ${latest.join('; ')}`;
}
