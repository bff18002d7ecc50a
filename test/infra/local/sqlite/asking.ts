import type { SqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';

/** Asks a store in the words of its protocol; an answer has the status beside its members. */
export const asking = (store: SqliteStore) => async (operation: string, input: object) => {
  const { status, body } = await store.answer(operation, input);
  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds.
  return { status, ...(body as any) };
};
