import type { Promises } from '../promises.ts';
import type { Flags } from './flags.ts';

/** An SDK that can send impact metrics. */
export interface MeasuringSdk {
  /** Adds to the counter `prove_orders`, and to the histogram `prove_seconds` with the bounds 1 and 10. */
  measure(orders: number, seconds: number): Promise<unknown>;
}

/** The impact metrics of SDKs in JavaScript. */
interface Meters {
  defineCounter(name: string, help: string): void;
  incrementCounter(name: string, value: number): void;
  defineHistogram(name: string, help: string, buckets: number[]): void;
  observeHistogram(name: string, value: number): void;
}

/** Measures with an SDK in JavaScript; a metric that is defined again stays. */
export function measureWith(meters: Meters, orders: number, seconds: number): void {
  meters.defineCounter('prove_orders', 'Orders');
  meters.incrementCounter('prove_orders', orders);
  meters.defineHistogram('prove_seconds', 'Seconds', [1, 10]);
  meters.observeHistogram('prove_seconds', seconds);
}

/** The measurements that each SDK makes. */
const measurements = [
  { orders: 2, seconds: 0.5 },
  { orders: 3, seconds: 5 },
] as const;

/** The sums of them that Prometheus reads. */
const sums = {
  prove_orders: 5,
  'prove_seconds_bucket 1': 1,
  'prove_seconds_bucket 10': 2,
  'prove_seconds_bucket +Inf': 2,
  prove_seconds_sum: 5.5,
  prove_seconds_count: 2,
};

/** Most time from a measurement until the SDK, which reports each second, has sent it. */
const reportMs = 10_000;

/** Lets an SDK measure something in two reports, and proves that both are stored completely. */
export async function proveMeasuring(promises: Promises, flags: Flags, application: string, sdk: MeasuringSdk) {
  let orders = 0;
  for (const measured of measurements) {
    await sdk.measure(measured.orders, measured.seconds);
    orders += measured.orders;
    const isStored = async () => (await readSums(flags, application)).prove_orders === orders;
    await promises.within(reportMs, `${orders} orders are stored`, isStored);
  }
  await proveSums(promises, flags, application);
}

/** Proves that the impact metrics of an application have their exact sums: nothing is lost, and nothing is counted twice. */
export async function proveSums(promises: Promises, flags: Flags, application: string): Promise<void> {
  promises.same(`impact metrics of ${application} are complete`, await readSums(flags, application), sums);
}

/** Reads the impact metrics of an application as Prometheus does, by name and bound. */
async function readSums({ url }: Flags, application: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/internal-backstage/impact/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.includes(`appName="${application}"`));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', bound, value] = /^(\w+)\{.*?(?:,le="([^"]*)")?\} (\S+)$/.exec(line) ?? [];
      return [bound === undefined ? name : `${name} ${bound}`, Number(value)];
    }),
  );
}
