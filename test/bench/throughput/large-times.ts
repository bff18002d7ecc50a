import { medianOf } from '../fresh-process.ts';
import type { LargeWork } from './large-work.ts';
import { mergedSample, type Sample, sampleOf } from './measure.ts';
import { inRounds, type RoundsPlan } from './rounds.ts';
import type { MeasuredServer } from './server.ts';

/** Times of a large piece of work on one server. */
export interface LargeTimes {
  /** The middle of all rounds; NaN when none succeeded. */
  readonly milliseconds: number;
  /** Milliseconds of processor time for the whole of it; undefined where they are not known. */
  readonly processor: { readonly server: number; readonly store: number } | undefined;
  /** Number of calls that the server needed for it. */
  readonly calls: number;
  readonly failures: ReadonlyMap<string, number>;
}

/** Times the same work on several servers, one after the other; on the peer only where it is comparable. */
export async function timeInTurn(
  servers: readonly MeasuredServer[],
  work: LargeWork,
  plan: RoundsPlan,
): Promise<(LargeTimes | undefined)[]> {
  const able = servers.filter((_, index) => index === 0 || work.comparable);
  const samples = new Map(able.map((server) => [server, [] as Sample[]]));
  await inRounds(plan, async () => {
    for (const server of able) samples.get(server)?.push(await sampleOf(server, work, 1, 1));
  });
  return servers.map((server) => {
    const own = samples.get(server);
    return own && timesOf(own);
  });
}

function timesOf(samples: readonly Sample[]): LargeTimes {
  const { processor, failures } = mergedSample(samples);
  const whole = samples.filter((sample) => sample.failures.size === 0);
  const perRound = (seconds: number) => (seconds / samples.length) * 1_000;
  return {
    milliseconds: medianOf(whole.map(({ seconds }) => seconds * 1_000)),
    processor: processor && { server: perRound(processor.server), store: perRound(processor.store) },
    calls: Math.max(...samples.map(({ latencies }) => latencies.length)),
    failures,
  };
}
