import { describe, expect, test } from 'vitest';
import { paths } from '../../harness/paths.ts';
import { type Client, expectRefusal } from '../client.ts';
import { fetchEventTypes, fetchFeature, fetchState, makeFeature, uniqueName } from '../features.ts';

/** Requests that come again, and requests that rest on what was seen. */
export function checkRepeats(client: () => Client): void {
  const strategy = { name: 'default', title: 'Once' };
  const withKey = () => ({ headers: { 'idempotency-key': uniqueName('key') } });

  describe('with an idempotency key', () => {
    test('a strategy that is sent again is one strategy, and is answered the same', async () => {
      const name = await makeFeature(client());
      const options = withKey();
      const first = await client().post(paths.strategies(name), strategy, options);
      const again = await client().post(paths.strategies(name), strategy, options);
      expect(again).toMatchObject({ status: 200, text: first.text });
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect((await fetchState(client(), name)).strategies).toHaveLength(1);
      expect(await fetchEventTypes(client(), name)).toEqual(['feature-created', 'feature-strategy-add']);
    });

    test('a strategy that is sent four times at once is one strategy', async () => {
      const name = await makeFeature(client());
      const options = withKey();
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => client().post(paths.strategies(name), strategy, options)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect((await fetchState(client(), name)).strategies).toHaveLength(1);
    });

    test('another request is refused', async () => {
      const name = await makeFeature(client());
      const options = withKey();
      await client().post(paths.strategies(name), strategy, options);
      const other = await client().post(paths.strategies(name), { ...strategy, title: 'Another' }, options);
      expectRefusal(other, 400, 'ValidationError');
    });
  });

  describe('with the tag of what was seen', () => {
    test('one of two writers who have seen the same is refused, and changes nothing', async () => {
      const name = await makeFeature(client());
      const { headers } = await client().put(paths.feature(name), {});
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
      expect((await client().put(paths.feature(name), { description: 'first' }, ifMatch)).status).toBe(200);
      const second = await client().put(paths.feature(name), { description: 'second' }, ifMatch);
      expectRefusal(second, 412, 'PreconditionFailed');
      expect(await fetchFeature(client(), name)).toMatchObject({ description: 'first' });
    });
  });
}
