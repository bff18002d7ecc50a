import type { Request } from '../request.ts';
import { kindOfItem } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { type RawItem, scanPages } from '../store/raw-items.ts';
import { readItem } from '../store/read.ts';
import { isOmittedKind } from './backup-items.ts';

/** The kinds of items in a store that was prepared and never used. Calls and failed sign-ins do not count as use. */
const preparedKinds: ReadonlySet<string> = new Set([
  ...['ACCESS', 'CONTEXT_FIELDS', 'COUNTER', 'ENVIRONMENTS', 'PROJECT', 'PROJECTS', 'RELEASE_TEMPLATES', 'SIGN_IN'],
  ...['SIGN_IN_NAMES', 'SIGN_INS', 'STORE', 'STRATEGY_TYPES', 'TAG_TYPES', 'TRAFFIC', 'USERNAMES'],
]);

/** Tells whether a store is empty, or contains only the initial content and a new password of the first administrator. */
export async function isUnused(request: Request): Promise<boolean> {
  const seeded = await readItem<{ readonly seededAt: string }>(request, keys.seeded());
  // Events of the same millisecond have a longer text.
  const preparedUntil = seeded === undefined ? '' : `${seeded.seededAt}~`;
  const isPrepared = (item: RawItem) => {
    if (kindOfItem(item) !== 'EVENTS') return preparedKinds.has(kindOfItem(item)) || isOmittedKind(item);
    // Every change has an event. A new password is no loss, since an operator who restores a store can set it again.
    return String(item.at) < preparedUntil || String(item.about).includes('"user-updated"');
  };
  for await (const page of scanPages(request)) if (!page.every(isPrepared)) return false;
  return true;
}
