import { keys } from '../table/keys.ts';
import type { Write } from '../table/write.ts';

/** What is counted of an environment. */
export interface EnvironmentCounts {
  readonly projectCount: number;
  readonly apiTokenCount: number;
  readonly enabledToggleCount: number;
}

type CountName = keyof EnvironmentCounts;

/** Changes of the counts of environments, to be added to a transaction. */
export class CountChanges {
  readonly #amounts = new Map<string, number>();

  add(count: CountName, environment: string, amount: number): void {
    this.#add(attributeOf(count, environment), amount);
  }

  #add(attribute: string, amount: number): void {
    this.#amounts.set(attribute, (this.#amounts.get(attribute) ?? 0) + amount);
  }

  static sum(all: readonly CountChanges[]): CountChanges {
    const total = new CountChanges();
    for (const changes of all) {
      for (const [attribute, amount] of changes.#amounts) total.#add(attribute, amount);
    }
    return total;
  }

  /** The one write that carries them all, or none where they cancel out. */
  writes(): Write[] {
    const amounts = Object.fromEntries([...this.#amounts].filter(([, amount]) => amount !== 0));
    if (Object.keys(amounts).length === 0) return [];
    return [{ addToAny: keys.environmentCounts, amounts }];
  }
}

/** The counts of an environment: the sums over all items that hold a part. */
export function countsOf(environment: string, shards: readonly Readonly<Record<string, unknown>>[]): EnvironmentCounts {
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
