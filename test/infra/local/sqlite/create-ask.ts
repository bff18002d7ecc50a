import type { SqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';

/** Returns a function that sends requests to a store. Its result is the body of the answer with the status. */
export const createAsk = (store: SqliteStore) => async (operation: string, input: object) => {
  const { status, body } = await store.answer(operation, input);
  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds.
  return { status, ...(body as any) };
};
