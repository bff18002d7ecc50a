import { expect, test } from 'vitest';
import { paths, readFeature } from '../../harness/features.ts';
import { imported, importSeed, sendImport } from '../../harness/imports.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);

function on(feature: string, parent: string) {
  return { dependencies: [{ feature, dependencies: [{ feature: parent }] }] };
}

test('A parent is changed by its child, so that a client who has seen it before gets 412', async () => {
  await imported(service, { features: [{ name: 'p' }] });
  const { etag } = (await service.put(paths.feature('p'))).headers;
  await imported(service, { features: [{ name: 'p-child' }], ...on('p-child', 'p') });
  const headers = { 'if-match': String(etag) };
  expect((await service.put(paths.feature('p'), { stale: true }, { headers })).status).toBe(412);
});

test("Two features that become each other's parents at the same time do so one way at the most", async () => {
  for (let round = 0; round < 2; round += 1) {
    const [one, two] = [`ring-${round}-a`, `ring-${round}-b`];
    await imported(service, { features: [{ name: one }, { name: two }] });
    const answers = await Promise.all([
      sendImport(service, { features: [{ name: one }], ...on(one, two) }),
      sendImport(service, { features: [{ name: two }], ...on(two, one) }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const found = await Promise.all([one, two].map((name) => readFeature(service, name)));
    expect(found.flatMap(({ dependencies }) => dependencies)).toHaveLength(1);
  }
});

test('A chain of two does not come about when both links are made at the same time', async () => {
  for (let round = 0; round < 2; round += 1) {
    const [child, middle, top] = ['child', 'middle', 'top'].map((name) => `chain-${round}-${name}`) as [
      string,
      string,
      string,
    ];
    await imported(service, { features: [child, middle, top].map((name) => ({ name })) });
    const answers = await Promise.all([
      sendImport(service, { features: [{ name: child }], ...on(child, middle) }),
      sendImport(service, { features: [{ name: middle }], ...on(middle, top) }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  }
});

test('An import that changes nothing of a large dependency does not check it again', async () => {
  const variants = Array.from({ length: 60 }, (_, index) => `variant-${index}`);
  const dependencies = [{ feature: 'large-child', dependencies: [{ feature: 'large', variants }] }];
  const file = { features: [{ name: 'large-child' }], dependencies };
  await imported(service, { ...file, features: [{ name: 'large' }, { name: 'large-child' }] });
  expect((await service.put(paths.feature('large'), { archived: true })).status).toBe(200);
  await imported(service, file);
});
