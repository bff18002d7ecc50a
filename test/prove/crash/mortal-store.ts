import { join } from 'node:path';
import { startDynamoDbServer } from '../../harness/dynamodb-server.ts';

/** A store that keeps its data in a file, so that it can die and come back. */
export interface MortalStore extends AsyncDisposable {
  /** Kills the store with SIGKILL, and is done when it is dead; it comes back by itself, at the same address. */
  die(): Promise<void>;
  /** Resolves when the store is there, also after it died. */
  ready(): Promise<void>;
}

/** Opens a store, which the environment names from then on. */
export async function openMortalStore(directory: string): Promise<MortalStore> {
  const file = join(directory, 'store.db');
  let store = await startDynamoDbServer({ file });
  const { endpoint } = store;
  let returned: Promise<void> = Promise.resolve();
  process.env.DYNAMODB_ENDPOINT = endpoint;

  async function comeBack(): Promise<void> {
    store = await startDynamoDbServer({ endpoint, file });
  }

  return {
    async die() {
      // Its guard has no gentler way to stop it.
      await store.stop();
      returned = comeBack();
    },
    ready: () => returned,
    async [Symbol.asyncDispose]() {
      await returned;
      await store.stop();
    },
  };
}
