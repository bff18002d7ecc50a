import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../lib/table/keys.ts';
import { readItem } from '../../../lib/table/read.ts';
import { freshTable } from '../../harness/table.ts';

describe('A request to the store', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('is repeated when it fails, however many have failed before it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const table = await freshTable();
    let tries = 0;
    table.client.middlewareStack.add(
      (next) => async (args) => {
        tries += 1;
        if (tries % 3 !== 0) throw Object.assign(new Error('no answer'), { code: 'ECONNRESET', $metadata: {} });
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    for (let request = 0; request < 100; request += 1) {
      expect(await readItem(table, keys.seeded())).toBeUndefined();
    }
    expect(tries).toBe(300);
  });
});
