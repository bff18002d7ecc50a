import { describe, expect, test } from 'vitest';
import type { ChangeUnit, EffectsOf } from '../../../lib/entity/effects.ts';
import { inSequence } from '../../../lib/entity/store-sequence.ts';
import { inRepeatedRounds, inStages } from '../../../lib/entity/store-stages.ts';
import { writeInLoop } from '../../../lib/entity/write-loop.ts';
import { inOneTransaction, type WriteStrategy } from '../../../lib/entity/write-strategy.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { takeEventIds } from '../../../lib/events/event-ids.ts';
import type { Request } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { transactionWritesMax } from '../../../lib/store/transactions/write.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { freshTable } from '../../harness/table.ts';

const lamp = (name: string): Key => ({ pk: 'LAMPS', sk: name });
const lampsIn = async (table: Request) => (await queryAll<Key>(table, { pk: 'LAMPS' })).map(({ sk }) => sk);

/** Returns a unit that creates a lamp; a schedule depends on it where that is said. */
function creating(name: string, more: Partial<ChangeUnit> = {}): ChangeUnit {
  return { subject: `lamp "${name}"`, writes: [{ put: lamp(name), item: {}, when: 'absent' }], events: [], ...more };
}

/** More units than a transaction has room for. */
const many = Array.from({ length: transactionWritesMax + 1 }, (_, index) => `lamp-${index}`);

const ways: readonly (readonly [string, WriteStrategy])[] = [
  ['in one transaction', inOneTransaction],
  ['in stages', inStages],
  ['in repeated rounds', inRepeatedRounds],
  ['in sequence', inSequence({ onStored: () => {} })],
];

describe('A change', () => {
  test.each(ways)('%s is stored with the units that follow from it', async (_way, strategy) => {
    const table = await freshTable();
    const effectsOf: EffectsOf = async (_request, units) => units.map(({ subject }) => creating(`after ${subject}`));
    await writeInLoop({ ...table, effectsOf }, systemUser, {
      strategy,
      items: [lamp('a')],
      read: async () => undefined,
      decide: () => ({
        units: [[creating('a', { flag: { schedules: '[1]' } }), creating('b', { flag: {} })]],
        result: undefined,
      }),
    });
    expect(await lampsIn(table)).toEqual(['a', 'after lamp "a"', 'b']);
  });

  test.each(ways)('%s is decided again after a lost race', async (_way, strategy) => {
    const table = await freshTable();
    let attempts = 0;
    await writeInLoop(table, systemUser, {
      strategy,
      items: [lamp('a')],
      read: async () => {
        const found = await readItem(table, lamp('a'));
        attempts += 1;
        if (attempts === 1) await transact(table, creating('a').writes, undefined);
        return found;
      },
      decide: (found) => ({ units: [[creating(found === undefined ? 'a' : 'b')]], result: undefined }),
    });
    expect([attempts, await lampsIn(table)]).toEqual([2, ['a', 'b']]);
  });

  test('in stages is stored stage by stage, beginning with the units that follow from it', async () => {
    const table = await freshTable();
    const effectsOf: EffectsOf = async () => [creating('suspended')];
    const change = () =>
      writeInLoop({ ...table, effectsOf }, systemUser, {
        strategy: inStages,
        items: [],
        read: async () => undefined,
        decide: () => ({
          units: [
            [creating('child', { stage: 2 }), creating('parent', { flag: { schedules: '[1]' } })],
            many.map((name) => creating(name, { stage: 2 })),
          ],
          result: undefined,
        }),
      });
    const requests = await recordStoreRequests(table, change);
    const placeOf = (name: string) => requests.findIndex(({ targets }) => targets.includes(`LAMPS ${name}`));
    expect(placeOf('suspended')).toBeGreaterThanOrEqual(0);
    expect(placeOf('suspended')).toBeLessThan(placeOf('parent'));
    expect(placeOf('parent')).toBeLessThan(placeOf('child'));
  });

  test('in stages has its final event after the events of its units, however many ids it took', async () => {
    const table = await freshTable();
    const event = { type: 'segment-created' } as const;
    await writeInLoop(table, systemUser, {
      strategy: inStages,
      items: [],
      likelyEvents: 1,
      read: async () => undefined,
      decide: async () => {
        return {
          units: (async function* () {
            yield [creating('a', { events: [event, event, event] })];
            // Another writer takes ids between the units and the final event.
            await takeEventIds(table, 5);
          })(),
          finalEvent: event,
          result: undefined,
        };
      },
    });
    const ids = (await serviceEvents(table)).map(({ id }) => id).toSorted((a, b) => a - b);
    expect(ids).toEqual([ids[0], ...[1, 2, 3].map((more) => (ids[0] ?? 0) + more)]);
  });
});
