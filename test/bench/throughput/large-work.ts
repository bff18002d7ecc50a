import { get, type TimedCall } from '../../harness/http-call.ts';
import { paths } from '../../harness/paths.ts';
import { atLeast, atMost, type BarVerdict, bulkOff100MsMax, importMsMax, importRatioMin } from './bars.ts';
import { importCalls, rolloutStrategy } from './bodies.ts';
import { freshNames } from './names.ts';
import { archiveCalls, featureWithEvents } from './reads.ts';
import type { RoundsPlan } from './rounds.ts';
import type { MeasuredServer } from './server.ts';
import { bulkOff, createFeatures } from './writes.ts';

/** A large piece of work, the whole of which is timed: one call, or as many as a server needs for it. */
export interface LargeWork {
  readonly name: string;
  /** True if the peer does the same. */
  readonly comparable: boolean;
  prepare(server: MeasuredServer): Promise<TimedCall[]>;
  /** Judges the promises by the median milliseconds on each server. */
  verdictsOf(own: number, peer: number | undefined): BarVerdict[];
}

/** Number of timed runs of each work, and their sizes. */
export interface LargePlan extends RoundsPlan {
  readonly imports: readonly number[];
  readonly bulks: readonly number[];
  readonly archives: readonly number[];
  readonly events: readonly number[];
}

export function largeWorks({ imports, bulks, archives, events }: LargePlan): LargeWork[] {
  return [
    ...imports.flatMap((size) => [importOf(size), importAgain(size)]),
    ...bulks.map(bulkOffOf),
    ...archives.map(archiveOf),
    ...events.map(eventsOf),
  ];
}

/** A work that the peer does alike, and that nothing is promised of, unless it says otherwise. */
function largeWork(name: string, prepare: LargeWork['prepare'], more: Partial<LargeWork> = {}): LargeWork {
  return { name, comparable: true, prepare, verdictsOf: ratioOf, ...more };
}

/** Returns the ratio as a verdict, for work that nothing is promised of. */
function ratioOf(own: number, peer: number | undefined): BarVerdict[] {
  return peer === undefined ? [] : [{ kept: true, words: `${(peer / own).toFixed(2)}× as fast as the peer` }];
}

function importedFeatures(size: number) {
  return freshNames(size).map((name) => ({
    name,
    enabled: true,
    strategies: [rolloutStrategy(50)],
    tags: ['benchmark'],
  }));
}

function importOf(size: number): LargeWork {
  const prepare: LargeWork['prepare'] = async ({ preparation }) =>
    importCalls(importedFeatures(size), preparation.importBytesMax);
  return largeWork(`import of ${size} new features`, prepare, {
    verdictsOf: (own, peer) =>
      size === 1_000 && peer !== undefined
        ? [
            atLeast(peer / own, importRatioMin, 'times as fast as the peer', '×'),
            atMost(own, importMsMax, 'time', ' ms'),
          ]
        : ratioOf(own, peer),
  });
}

function importAgain(size: number): LargeWork {
  return largeWork(`the same import of ${size} again`, (server) =>
    server.once(`import of ${size}`, async () => {
      const calls = importCalls(importedFeatures(size), server.preparation.importBytesMax);
      for (const call of calls) await server.send(call);
      return calls;
    }),
  );
}

function bulkOffOf(size: number): LargeWork {
  const prepare = async (server: MeasuredServer) => {
    const features = await server.once(`${size} to switch off`, () => createFeatures(server, size));
    await server.preparation.switchOn(features);
    return [bulkOff(features)];
  };
  return largeWork(`bulk off of ${size} that are on`, prepare, {
    verdictsOf: (own, peer) => [
      ...(size === 100 ? [atMost(own, bulkOff100MsMax, 'time', ' ms')] : []),
      ...ratioOf(own, peer),
    ],
  });
}

function archiveOf(size: number): LargeWork {
  return largeWork(`archive list of ${size}`, (server) => archiveCalls(server, size, 1), { comparable: false });
}

function eventsOf(size: number): LargeWork {
  const prepare = async (server: MeasuredServer) => {
    const feature = await server.once(`feature with ${size} events`, () => featureWithEvents(server, size));
    return [get(paths.events(feature))];
  };
  // The peer answers its newest ones only.
  return largeWork(`events of a feature that has ${size}`, prepare, { comparable: size <= 50 });
}
