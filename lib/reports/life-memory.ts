import { ApiError } from '../errors.ts';
import { enterStages } from '../features/enter-stages.ts';
import { stagesByUse } from '../features/lifecycle.ts';
import type { ShelvedFeature } from '../snapshot/shelf.ts';
import type { Table } from '../table/table.ts';

/** More features than this have to wait for the next time, so that no SDK waits long. */
const featuresMax = 1_000;

/**
 * The features that were used and whose life may go on by that, since the last time that it was written down. Nothing is
 * written for all others, which are nearly all: a feature goes live once.
 */
class LifeMemory {
  #used = new Map<string, Set<string>>();

  /** Says that a feature was used in an environment. */
  note(environment: string, { feature, summaries }: ShelvedFeature): void {
    const isOn = summaries.get(environment)?.enabled ?? false;
    // Of the environment, only the name is known here.
    if (stagesByUse(feature, { isProduction: true, isOn }).length === 0) return;
    const used = this.#used.get(environment) ?? new Set();
    if (used.size < featuresMax) this.#used.set(environment, used.add(feature.name));
  }

  /** Lets the features enter their stages. Those for which that fails come again with the next report. */
  async flush(table: Table): Promise<void> {
    const used = this.#used;
    this.#used = new Map();
    for (const [environment, names] of used) {
      try {
        await enterStages(table, environment, [...names]);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }
  }
}

const memories = new WeakMap<Table['client'], LifeMemory>();

/** The memory of this process for a table. */
export function lifeMemoryOf({ client }: Pick<Table, 'client'>): LifeMemory {
  const memory = memories.get(client) ?? new LifeMemory();
  memories.set(client, memory);
  return memory;
}
