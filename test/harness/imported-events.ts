import { serviceEventWrites } from '../../lib/events/event-items.ts';
import type { Request } from '../../lib/request.ts';
import { transact } from '../../lib/store/transactions/transact.ts';
import { chunksOf } from '../../lib/values/lists.ts';

const minuteMs = 60_000;

/** An event that an import from another server has added. */
interface ImportedEvent {
  readonly id: number;
  readonly createdAt: string;
}

/** A prime number, by which ids are spread over all times, as if events had been imported feature by feature. */
const spread = 7_919;

/** Adds events of the past, one a minute up to 2024, without links. Their ids do not follow their times. */
export async function addImportedEvents(table: Request, count: number, firstId = 1_000_000): Promise<ImportedEvent[]> {
  const events = Array.from({ length: count }, (_, index) => ({
    ...{
      id: firstId + ((index * spread) % count),
      createdAt: new Date(Date.UTC(2024, 0, 1) - index * minuteMs).toISOString(),
    },
    ...{ type: 'tag-type-created', createdBy: 'import', createdByUserId: -1 },
    ...{ project: null, environment: null, featureName: null, tags: [], data: { name: 'team' }, preData: null },
  }));
  for (const some of chunksOf(events, 100)) {
    const writes = some.flatMap((event) => serviceEventWrites([event as never]));
    await transact(table, writes, undefined);
  }
  return events;
}
