import { announceApplications } from '../applications/applications.ts';
import { ApiError } from '../errors.ts';
import { enterStages } from '../features/enter-stages.ts';
import { stagesByUse } from '../features/lifecycle.ts';
import type { ShelvedFeature } from '../snapshot/shelf.ts';
import type { Table } from '../table/table.ts';

/** More than this has to wait for the next report, so that no SDK waits long. */
const featuresMax = 1_000;
const applicationsMax = 100;

/**
 * What reports have said since the last time that may be news: applications that nobody knows yet, and features whose life
 * may go on by their use. Nothing is written for all others, which are nearly all: a feature goes live once.
 */
class NewsMemory {
  #used = new Map<string, Set<string>>();
  #applications = new Set<string>();

  /** Says that a feature was used in an environment. */
  noteUse(environment: string, { feature, summaries }: ShelvedFeature): void {
    const isOn = summaries.get(environment)?.enabled ?? false;
    // Of the environment, only the name is known here.
    if (stagesByUse(feature, { isProduction: true, isOn }).length === 0) return;
    const used = this.#used.get(environment) ?? new Set();
    if (used.size < featuresMax) this.#used.set(environment, used.add(feature.name));
  }

  /** Says that an application has reported. */
  noteApplication(appName: string): void {
    if (this.#applications.size < applicationsMax) this.#applications.add(appName);
  }

  /** Makes it known. Where that fails, it is news again with the next report. */
  async flush(table: Table): Promise<void> {
    const [used, applications] = [this.#used, this.#applications];
    this.#used = new Map();
    this.#applications = new Set();
    if (applications.size > 0) {
      const isDone = await succeeds(() => announceApplications(table, [...applications]));
      if (!isDone) for (const appName of applications) this.noteApplication(appName);
    }
    for (const [environment, names] of used) await succeeds(() => enterStages(table, environment, [...names]));
  }
}

/** No SDK is refused for what it has not asked for. */
async function succeeds(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

const memories = new WeakMap<Table['client'], NewsMemory>();

/** The memory of this process for a table. */
export function newsMemoryOf({ client }: Pick<Table, 'client'>): NewsMemory {
  const memory = memories.get(client) ?? new NewsMemory();
  memories.set(client, memory);
  return memory;
}
