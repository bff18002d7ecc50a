import { join } from 'node:path';
import { startDynamoDbServer } from '../../harness/dynamodb-server.ts';
import { openInProcessStore } from '../in-process-store.ts';
import type { Death } from './protocol.ts';

/** A store that keeps its data in a file, so that it can die and come back. */
export interface MortalStore extends AsyncDisposable {
  /** The parts that can die alone; a store inside a process dies with it. */
  readonly victims: readonly Death['victim'][];
  /** The file that a process must open to have the store; undefined where the store is a process of its own. */
  readonly file?: string;
  /** Kills the store with SIGKILL, and is done when it is dead; it comes back by itself, at the same address. */
  die(): Promise<void>;
  /** Leaves the store to another process for an action, and is done when it is there again, also after it died. */
  lend<T>(action: () => Promise<T>): Promise<T>;
}

/** Opens a store in a process of its own, which the environment names from then on. */
export async function openMortalServer(directory: string): Promise<MortalStore> {
  const file = join(directory, 'store.db');
  let store = await startDynamoDbServer({ file });
  const { endpoint } = store;
  let returned: Promise<void> = Promise.resolve();
  process.env.DYNAMODB_ENDPOINT = endpoint;

  async function comeBack(): Promise<void> {
    store = await startDynamoDbServer({ endpoint, file });
  }

  return {
    victims: ['process', 'store'],
    async die() {
      // Its guard has no gentler way to stop it.
      await store.stop();
      returned = comeBack();
    },
    async lend(action) {
      const result = await action();
      await returned;
      return result;
    },
    async [Symbol.asyncDispose]() {
      await returned;
      await store.stop();
    },
  };
}

/** Opens the store that Flagstaff embeds, in this process, under an address that the environment names from then on. */
export async function openMortalEmbedded(directory: string): Promise<MortalStore> {
  const file = join(directory, 'flagstaff.db');
  let store = await openInProcessStore(file);
  return {
    victims: ['process'],
    file,
    die: () => Promise.reject(new Error('The embedded store dies with its process.')),
    async lend(action) {
      await store.close();
      try {
        return await action();
      } finally {
        store = await openInProcessStore(file);
      }
    },
    async [Symbol.asyncDispose]() {
      await store.close();
    },
  };
}
