import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import * as projectKeys from '../../../../lib/projects/keys.ts';
import { coalesce } from '../../../../lib/store/client/coalesce.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { queryAll, readItem, readItems } from '../../../../lib/store/read.ts';
import { raiseCounter, transact } from '../../../../lib/store/transactions/transact.ts';
import { recordStoreRequests } from '../../../harness/store-requests.ts';
import { tableForEach } from '../../../specifications/specify.ts';

const table = tableForEach();

/** Makes calls one after the other, like requests that arrive at the same time. */
async function together<T>(...asks: (() => Promise<T>)[]): Promise<T[]> {
  const answers: Promise<T>[] = [];
  for (const ask of asks) {
    await new Promise((resolve) => process.nextTick(resolve));
    answers.push(ask());
  }
  return Promise.all(answers);
}

const commandsOf = async (action: () => Promise<unknown>) =>
  (await recordStoreRequests(table, action)).map(({ command }) => command);

describe('Calls of the same moment', () => {
  test('share one request for all items', async () => {
    expect(
      await commandsOf(() =>
        together(
          () => readItem(table, projectKeys.project('a')),
          () => readItems({ ...table }, [projectKeys.project('a'), projectKeys.project('b')]),
        ),
      ),
    ).toEqual(['BatchGet']);
  });

  test('share as few requests for items as AWS permits', async () => {
    const projects = Array.from({ length: 201 }, (_, index) => projectKeys.project(`p${index}`));
    expect(await commandsOf(() => readItems(table, projects))).toEqual(['BatchGet', 'BatchGet', 'BatchGet']);
  });

  test('share a request for the same page, but not for different pages', async () => {
    await transact(table, [{ put: projectKeys.project('a'), item: { name: 'A' } }], undefined);
    const { pk } = projectKeys.project('a');
    const same = () => queryAll(table, { pk });
    const other = () => queryAll(table, { pk, prefix: 'DEFAULT' });
    let pages: unknown[][] = [];
    expect(
      await commandsOf(async () => {
        pages = await together(same, other, same);
      }),
    ).toEqual(['Query', 'Query']);
    expect(pages).toEqual([
      [{ ...projectKeys.project('a'), name: 'A' }],
      [],
      [{ ...projectKeys.project('a'), name: 'A' }],
    ]);
  });

  test('share a request for a counter, and each gets its own numbers', async () => {
    const amounts = [3, 1, 5, 1];
    const asks = amounts.map((amount) => () => raiseCounter(table, keys.counter('event'), amount));
    const other = () => raiseCounter(table, keys.counter('user'), 7);
    let values: number[] = [];
    expect(
      await commandsOf(async () => {
        values = await together(...asks, other);
      }),
    ).toEqual(['Update', 'Update']);
    expect(values).toEqual([3, 4, 9, 10, 7]);
    expect(await raiseCounter(table, keys.counter('event'), 1)).toBe(11);
  });

  test('fail only if their own request failed', async () => {
    const ask = coalesce(
      async (_table, alike: readonly string[]) => {
        if (alike.includes('bad')) throw new Error('refused');
        return alike.map((wanted) => `${wanted} found`);
      },
      { kindOf: (wanted) => wanted },
    );
    const outcomes = await Promise.allSettled(['good', 'bad', 'bad', 'better'].map((wanted) => ask(table, wanted)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  });
});

describe('A later call', () => {
  test('has its own request, since the one under way may miss later writes', async () => {
    expect(
      await commandsOf(async () => {
        const before = readItem(table, projectKeys.project('a'));
        await nextTurn();
        await Promise.all([before, readItem(table, projectKeys.project('a'))]);
      }),
    ).toEqual(['BatchGet', 'BatchGet']);
  });

  test('shares the next request with all calls that were made while one is under way', async () => {
    const requests: (readonly string[])[] = [];
    const answers: (() => void)[] = [];
    const ask = coalesce(async (_table, alike: readonly string[]) => {
      requests.push(alike);
      await new Promise<void>((resolve) => answers.push(resolve));
      return alike;
    });
    const found = [ask(table, 'first')];
    await nextTurn();
    for (const wanted of ['second', 'third']) {
      found.push(ask(table, wanted));
      await nextTurn();
    }
    expect(requests).toEqual([['first']]);
    answers[0]?.();
    await found[0];
    await nextTurn();
    expect(requests).toEqual([['first'], ['second', 'third']]);
    answers[1]?.();
    expect(await Promise.all(found)).toEqual(['first', 'second', 'third']);
  });

  test('does not wait for a request without response, nor if it fills a request', async () => {
    const requests: (readonly string[])[] = [];
    const ask = coalesce(
      async (_table, alike: readonly string[]) => {
        requests.push(alike);
        return alike.includes('lost') ? new Promise<string[]>(() => {}) : alike;
      },
      { most: 2 },
    );
    void ask(table, 'lost');
    await nextTurn();
    const alone = ask(table, 'alone');
    expect(await Promise.all([alone, ask(table, 'with it')])).toEqual(['alone', 'with it']);
    expect(await ask(table, 'later')).toBe('later');
    expect(requests).toEqual([['lost'], ['alone', 'with it'], ['later']]);
  });
});
