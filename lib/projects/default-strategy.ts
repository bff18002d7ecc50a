import type { NewEvent } from '../events/event.ts';
import type { StrategyInput } from '../schemas/strategy.ts';
import type { Table } from '../table/client.ts';
import { assertFits } from '../table/item.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll, readItem } from '../table/read.ts';
import type { Write } from '../table/transact.ts';

/** What a feature gets that is switched on in an environment without a strategy, as the store holds it. */
interface DefaultStrategyItem {
  /** JSON: StrategyInput. */
  readonly strategy: string;
}

/** The default strategy of an environment in a project, if one was set. */
export async function loadDefaultStrategy(
  table: Table,
  projectId: string,
  environment: string,
): Promise<StrategyInput | undefined> {
  const item = await readItem<DefaultStrategyItem>(table, keys.defaultStrategy(projectId, environment));
  return item === undefined ? undefined : JSON.parse(item.strategy);
}

/** The default strategies of a project by environment. */
export async function loadDefaultStrategies(table: Table, projectId: string): Promise<Map<string, StrategyInput>> {
  const partition = partitions.defaultStrategies(projectId);
  const items = await queryAll<DefaultStrategyItem & Key>(table, partition);
  return new Map(items.map(({ sk, strategy }) => [sk.slice(partition.prefix.length), JSON.parse(strategy)]));
}

/** It is conditioned by the version of its project, which changes with it. */
export function defaultStrategyWrite(projectId: string, environment: string, strategy: StrategyInput): Write {
  const item = { strategy: JSON.stringify(strategy) };
  assertFits(item, 'default strategy');
  return { put: keys.defaultStrategy(projectId, environment), item };
}

export function defaultStrategyUpdated(
  project: string,
  environment: string,
  after: StrategyInput,
  before: StrategyInput | undefined,
): NewEvent {
  return {
    type: 'default-strategy-updated',
    project,
    environment,
    data: { ...after },
    preData: before ? { ...before } : null,
  };
}
