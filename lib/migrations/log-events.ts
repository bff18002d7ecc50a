import { logAttributes } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { type Attributes, itemBytes, itemBytesMax } from '../store/item.ts';
import * as keys from '../store/keys.ts';
import { scanItems } from '../store/scan.ts';
import { transact } from '../store/transactions/transact.ts';

/** What this release reads of an item of events. */
type StoredEvents = Key & Attributes & { readonly events: string };

/** Event items of a feature and of the service; addons have an attribute of that name, too. */
const unlogged = {
  condition:
    'attribute_exists(events) AND attribute_not_exists(about) AND (begins_with(pk, :feature) OR begins_with(pk, :service))',
  values: { ':feature': keys.feature('').pk, ':service': keys.serviceEvents('', 0).pk },
};

/** Puts the events of earlier releases into the list of all; they are looked for in the whole table. */
export async function* logEvents(request: Request, from: Key | undefined): AsyncGenerator<Key | undefined> {
  for await (const { items, next } of scanItems<StoredEvents>(request, unlogged, from)) {
    await Promise.all(items.map((item) => request.store.limiter(() => logItem(request, item))));
    yield next;
  }
}

/** An item of events is never changed or removed, so that it can be written again as it was read. */
async function logItem(request: Request, { pk, sk, ...item }: StoredEvents): Promise<void> {
  const events = JSON.parse(item.events) as Event[];
  const [first] = events;
  const featureName = pk.startsWith(keys.feature('').pk) ? (first?.featureName ?? undefined) : undefined;
  // Of events that fill an item to the brim, the list of all shows as many as there is room for.
  for (let shown = events; ; shown = shown.slice(0, shown.length / 2)) {
    const logged = { ...item, ...logAttributes(shown, featureName) };
    if (shown.length > 1 && itemBytes({ pk, sk, ...logged }) > itemBytesMax) continue;
    await transact(request, [{ put: { pk, sk }, item: logged }], undefined);
    return;
  }
}
