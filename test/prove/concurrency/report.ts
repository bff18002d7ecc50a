import type { Anomaly } from './check/anomaly.ts';
import { type AnsweredCall, featuresNamed, type History, outcomeOf } from './history.ts';
import type { Round } from './round.ts';

/** Sum of the calls of a phase of the proof over its rounds. */
export class CallTally {
  /** Counts of each status by kind of call. */
  readonly #statuses = new Map<string, Map<number, number>>();
  transactions = 0;
  conflicts = 0;
  halfReads = 0;
  readonly #faults = new Map<string, number>();
  calls = 0;
  unknown = 0;
  wanted = 0;
  givenUp = 0;
  events = 0;
  /** The milestones that the clock has started. */
  startsByTime = 0;
  anomalies = 0;
  storeRequests = 0;
  seconds = 0;

  add({ history, seconds, wanted, givenUp, faults, rules }: Round, anomalies: number): void {
    const { calls, featureEvents, serviceEvents } = history;
    for (const call of calls) {
      const row = this.#statuses.get(call.request.kind) ?? new Map<number, number>();
      row.set(call.answer.status, (row.get(call.answer.status) ?? 0) + 1);
      this.#statuses.set(call.request.kind, row);
    }
    this.calls += calls.length;
    this.unknown += calls.filter((call) => outcomeOf(call) === 'unknown').length;
    this.events += serviceEvents.length + [...featureEvents.values()].flat().length;
    const started = [...featureEvents.values()].flat().filter(({ data }) => data?.isByTime === true);
    this.startsByTime += started.length;
    this.anomalies += anomalies;
    this.wanted += wanted;
    this.givenUp += givenUp;
    this.seconds += seconds;
    this.transactions += rules?.transactions ?? 0;
    this.conflicts += rules?.conflicts ?? 0;
    this.halfReads += rules?.halfReads ?? 0;
    this.storeRequests += faults?.requests ?? 0;
    for (const [failure, count] of Object.entries(faults?.failures ?? {})) {
      this.#faults.set(failure, (this.#faults.get(failure) ?? 0) + count);
    }
  }

  /** The share of what clients wanted that was carried out in the end, or refused for a reason that holds. */
  get success(): number {
    return 1 - this.givenUp / Math.max(1, this.wanted);
  }

  /** Returns a row for each kind of call, the most frequent first, with a column for each status. */
  #table(): Record<string, Record<string, number>> {
    const statuses = new Set([...this.#statuses.values()].flatMap((row) => [...row.keys()]));
    const rows = [...this.#statuses].map(([kind, row]) => {
      const calls = [...row.values()].reduce((sum, count) => sum + count, 0);
      const columns = [...statuses].toSorted((a, b) => a - b).map((status) => [`${status}`, row.get(status) ?? 0]);
      // After the other columns: an object lists keys that are numbers first.
      return [kind, { ...Object.fromEntries(columns), calls }] as const;
    });
    return Object.fromEntries(rows.toSorted(([, a], [, b]) => b.calls - a.calls));
  }

  print(name: string): void {
    console.log(`\nPhase "${name}"`);
    console.table(this.#table());
    if (this.transactions > 0) {
      console.log(
        `Of ${this.transactions} transactions conflicted ${this.conflicts}; ${this.halfReads} reads saw half of one.`,
      );
    }
    const faults = [...this.#faults].map(([failure, count]) => `${count} × ${failure}`).join(', ');
    if (faults !== '') console.log(`Of ${this.storeRequests} requests to the store failed: ${faults}.`);
    console.log(
      `${this.calls} calls in ${this.seconds.toFixed(1)} s (${Math.round(this.calls / this.seconds)} a second), ` +
        `${this.events} events, ${this.startsByTime} milestones started by time. ${percent(1 - this.unknown / Math.max(1, this.calls))} of the calls were answered at once, ` +
        `${percent(this.success)} of ${this.wanted} requests in the end. ${this.anomalies} anomalies.`,
    );
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)} %`;
}

const around = 12;

/** Prints an anomaly with the calls at the same feature that were made around it. */
export function printAnomaly({ message, calls, feature }: Anomaly, history: History): void {
  console.log(`\nANOMALY: ${message}`);
  const involved = new Set(calls.map(({ number }) => number));
  const touching = history.calls
    .filter(({ request, number }) => {
      if (request.kind === 'clock') return involved.has(number);
      return feature === undefined || featuresNamed(request).includes(feature);
    })
    .toSorted((a, b) => a.begin - b.begin);
  const index = touching.findIndex(({ number }) => involved.has(number));
  const near = index < 0 ? [] : touching.slice(Math.max(0, index - around), index + around);
  const far = calls.filter(({ number }) => !near.some((call) => call.number === number));
  for (const call of [...near, ...far]) console.log(`${involved.has(call.number) ? '→' : ' '} ${lineOf(call)}`);
}

const textMax = 160;

function lineOf({ number, client, request, begin, end, answer }: AnsweredCall): string {
  const { kind, ...rest } = request;
  const shortened = (text: string) => (text.length > textMax ? `${text.slice(0, textMax)}…` : text);
  return `#${number} ${client} [${begin}-${end}] ${kind} ${shortened(JSON.stringify(rest))} → ${answer.status} ${shortened(answer.text)}`;
}
