import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';
import { allPages, type WholeItem } from '../store/whole-items.ts';
import { isPassing, kindOfItem } from './carried.ts';

/** The kinds of items that a store holds which was prepared and never used, and of calls and sign-ins, which change nothing. */
const prepared: ReadonlySet<string> = new Set([
  ...['ACCESS', 'CONTEXT_FIELDS', 'COUNTER', 'ENVIRONMENTS', 'PROJECT', 'PROJECTS', 'SIGN_IN', 'SIGN_IN_NAMES'],
  ...['SIGN_INS', 'STORE', 'STRATEGY_TYPES', 'TAG_TYPES', 'TRAFFIC', 'USERNAMES'],
]);

/** Tells a store that is empty, or that holds no more than every store and the first administrator's password. */
export async function isUnused(request: Request): Promise<boolean> {
  const { seededAt = '' } = (await readItem<{ readonly seededAt: string }>(request, keys.seeded())) ?? {};
  const isOfPreparation = (item: WholeItem) => {
    if (kindOfItem(item) !== 'EVENTS') return prepared.has(kindOfItem(item)) || isPassing(item);
    // Every change has its event. A password is no loss: those who may restore a store may set another one.
    return String(item.at) < seededAt || String(item.about).includes('"user-updated"');
  };
  for await (const page of allPages(request)) if (!page.every(isOfPreparation)) return false;
  return true;
}
