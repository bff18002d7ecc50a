import { type Reference, referenceWrites } from '../entity/references.ts';
import type { NewEvent } from '../events/event.ts';
import { strategyReferences } from '../features/strategies/strategy-references.ts';
import type { StrategyInput } from '../features/strategies/strategy-schema.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import * as partitions from '../store/partitions.ts';
import { queryAll, readItem } from '../store/read.ts';
import type { Condition, Write } from '../store/transactions/write.ts';

/**
 * Stored default strategy of a project in an environment: a feature that is switched on there without a strategy gets
 * it.
 */
interface DefaultStrategyItem {
  /** JSON: StrategyInput. */
  readonly strategy: string;
  readonly version: number;
}

/** A default strategy as it was read. */
export interface StoredDefaultStrategy {
  readonly strategy: StrategyInput;
  readonly version: number;
}

/** Reads the default strategy of an environment in a project, if one was set. */
export async function loadDefaultStrategy(
  request: Request,
  projectId: string,
  environment: string,
): Promise<StoredDefaultStrategy | undefined> {
  const item = await readItem<DefaultStrategyItem>(request, keys.defaultStrategy(projectId, environment));
  return item && defaultStrategyFrom(item);
}

/** Reads the default strategies of a project by environment. */
export async function loadDefaultStrategies(
  request: Request,
  projectId: string,
): Promise<Map<string, StoredDefaultStrategy>> {
  const partition = partitions.defaultStrategies(projectId);
  const items = await queryAll<DefaultStrategyItem & Key>(request, partition);
  return new Map(items.map((item) => [item.sk.slice(partition.prefix.length), defaultStrategyFrom(item)]));
}

function defaultStrategyFrom({ strategy, version }: DefaultStrategyItem): StoredDefaultStrategy {
  return { strategy: JSON.parse(strategy), version };
}

/** Sets a default strategy, if it still is what was read, and lets what it uses know of it. */
export function defaultStrategyWrites(
  projectId: string,
  environment: string,
  strategy: StrategyInput,
  before: StoredDefaultStrategy | undefined,
): Write[] {
  const item = { strategy: JSON.stringify(strategy), version: (before?.version ?? 0) + 1 };
  const what = 'default strategy';
  const references = (of: StrategyInput) => defaultStrategyReferences(projectId, environment, of);
  return [
    { put: keys.defaultStrategy(projectId, environment), item, when: conditionOf(before), what },
    ...referenceWrites(before === undefined ? [] : references(before.strategy), references(strategy)),
  ];
}

/** Removes a default strategy, if it still is what was read; what it uses is in use by it no more. */
export function defaultStrategyRemovals(
  projectId: string,
  environment: string,
  before: StoredDefaultStrategy,
): Write[] {
  return [
    { remove: keys.defaultStrategy(projectId, environment), when: conditionOf(before) },
    ...referenceWrites(defaultStrategyReferences(projectId, environment, before.strategy), []),
  ];
}

/**
 * Returns the references of a default strategy: while they exist, neither its segments nor its strategy type can be
 * removed.
 */
function defaultStrategyReferences(
  project: string,
  environment: string,
  { name, segments = [] }: Pick<StrategyInput, 'name' | 'segments'>,
): Reference[] {
  const referrer = {
    // No feature has a name with a space.
    by: `default of ${project}#${environment}`,
    name: `the default strategy of the project "${project}" in "${environment}"`,
    details: { project, environment },
  };
  return strategyReferences([{ name, segments }], project, () => referrer);
}

/** Writes nothing, but holds a change to what was read. */
export function defaultStrategyCheck(
  projectId: string,
  environment: string,
  before: StoredDefaultStrategy | undefined,
): Write {
  return { check: keys.defaultStrategy(projectId, environment), when: conditionOf(before) };
}

function conditionOf(before: StoredDefaultStrategy | undefined): Condition {
  return before === undefined ? 'absent' : { version: before.version };
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
