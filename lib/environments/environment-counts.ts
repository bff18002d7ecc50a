import type { Write } from '../store/transactions/write.ts';
import * as environmentKeys from './keys.ts';

/** Counts of one environment. */
export interface EnvironmentCounts {
  readonly projectCount: number;
  readonly apiTokenCount: number;
  readonly enabledToggleCount: number;
}

type CountName = keyof EnvironmentCounts;

/** Returns the writes that change a count of an environment. A transaction merges several of them into one write. */
export function environmentCountWrites(count: CountName, environment: string, amount: number): Write[] {
  if (amount === 0) return [];
  return [{ addToAny: environmentKeys.environmentCountShards, amounts: { [attributeOf(count, environment)]: amount } }];
}

/** Returns the counts of an environment: the sums over all shards. */
export function environmentCountsOf(
  environment: string,
  shards: readonly Readonly<Record<string, unknown>>[],
): EnvironmentCounts {
  const sum = (count: CountName) =>
    shards.reduce((total, shard) => total + Number(shard[attributeOf(count, environment)] ?? 0), 0);
  return {
    projectCount: sum('projectCount'),
    apiTokenCount: sum('apiTokenCount'),
    enabledToggleCount: sum('enabledToggleCount'),
  };
}

function attributeOf(count: CountName, environment: string): string {
  return `${count}:${environment}`;
}
