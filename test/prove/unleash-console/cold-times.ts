import { listEntryPoints } from '../../../infra/entry-points.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { setColdStage } from '../../bench/cold-stage.ts';
import { bundleOf, coldStartOf } from '../../bench/cold-start.ts';
import { medianOf, timesInTurn } from '../../bench/fresh-process.ts';

/** The milliseconds of each function from nothing to its first answer. */
export type ColdTimes = ReadonlyMap<string, number>;

/** Times of each function are the median of so many. */
const rounds = 5;

/**
 * Measures the cold starts of functions on this machine, one after the other, each with a request that it gets. Its caller is
 * unknown, so that the time is that of the start and of a look at the store.
 */
export async function coldTimesOf(
  requests: readonly { readonly name: string; readonly method: string; readonly path: string }[],
): Promise<ColdTimes> {
  const all = { ...listEntryPoints('few'), ...listEntryPoints() };
  const first = new Map(requests.toReversed().map((request) => [request.name, request]));
  const deployed = [...first.values()].filter(({ name }) => name in all);
  const files = Object.fromEntries(deployed.map(({ name }) => [name, all[name] as string]));
  await using stage = await setColdStage(files, []);
  const authorization = makeSecret('admin');
  const programs = deployed.map(({ name, method, path }) =>
    coldStartOf(bundleOf(stage.directory, name), { method, path, authorization }, stage.environment),
  );
  const times = timesInTurn(programs, rounds);
  return new Map(deployed.map(({ name }, index) => [name, medianOf(times[index] ?? [])]));
}
