import { beforeEach, describe, expect, test } from 'vitest';
import { addFeatures, frequencies, paths, readFeature, shopSeed } from '../../harness/features.ts';
import type { Reply } from '../../harness/service.ts';
import { expectRefused } from '../../specifications/expect.ts';
import { sharedService } from '../../specifications/specify.ts';

const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } });
const tagOf = ({ headers }: Reply) => headers.etag ?? '';

describe('The entity tag of a feature', () => {
  let feature: string;
  let made = 0;
  let tag: string;
  const service = sharedService(shopSeed);
  beforeEach(async () => {
    made += 1;
    feature = `feature-${made}`;
    await addFeatures(service, [feature]);
    tag = tagOf(await service.put(paths.feature(feature)));
  });

  const update = (description: string, options?: ReturnType<typeof ifMatch>) =>
    service.put(paths.feature(feature), { description }, options);
  const changes: readonly [string, (value: string, tag: string) => Promise<Reply>][] = [
    ['an update', (value, tagged) => update(value, ifMatch(tagged))],
    [
      'a strategy',
      (title, tagged) => service.post(paths.strategies(feature), { name: 'default', title }, ifMatch(tagged)),
    ],
    ['a tag', (value, tagged) => service.post(paths.tags(feature), { value }, ifMatch(tagged))],
  ];

  test('is strong, and stays while nothing changes', async () => {
    expect(tag).toMatch(/^"[1-9]\d*"$/);
    expect(tagOf(await service.put(paths.feature(feature)))).toBe(tag);
    expect(tagOf(await service.get(paths.variants(feature)))).toBe(tag);
  });

  test.each(changes)('says nothing about %s of a feature that does not exist', async (_title, change) => {
    feature = 'missing';
    expectRefused(await change('blue', tag), 404, 'NotFoundError');
  });

  test('is quoted, or *: anything else is a 400', async () => {
    for (const tagged of ['7', "'7'", '"7', 'W/7', '"a" "b"', '*, "7"', '']) {
      expectRefused(await update('blue', ifMatch(tagged)), 400, 'ValidationError');
    }
  });

  test('lets one of many writers pass who have seen the same', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) => update(`by writer ${index}`, ifMatch(tag))),
    );
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 200: 1, 412: 3 });
    const winner = answers.find(({ status }) => status === 200);
    expect(await readFeature(service, feature)).toEqual(winner?.body);
  });
});
