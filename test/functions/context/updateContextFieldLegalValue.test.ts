import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('updateContextFieldLegalValue', {
  route: 'POST /api/admin/context/{contextField}/legal-values',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_CONTEXT_FIELD'],
  request: async (world) => ({
    params: { contextField: await world.contextField() },
    body: { value: 'CH', description: 'Switzerland' },
  }),
  required: ['value'],
  nullable: ['description'],
});

test('A legal value is added at the end, or replaced in its place', async ({ service, world }) => {
  const path = `/api/admin/context/${await world.contextField()}`;
  const values = async () => (await service.get(path)).body.legalValues;
  for (const value of ['CH', 'NZ']) expect((await service.post(`${path}/legal-values`, { value })).status).toBe(200);
  expect(await values()).toEqual([{ value: 'CH' }, { value: 'NZ' }]);
  await service.post(`${path}/legal-values`, { value: 'CH', description: 'Switzerland' });
  expect(await values()).toEqual([{ value: 'CH', description: 'Switzerland' }, { value: 'NZ' }]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'context-field-updated',
    preData: { legalValues: [{ value: 'CH' }, { value: 'NZ' }] },
  });
});

test('Six legal values that are added at the same time are all there', async ({ service, world }) => {
  const path = `/api/admin/context/${await world.contextField()}`;
  const wanted = Array.from({ length: 6 }, (_, index) => `value ${index}`);
  await Promise.all(wanted.map((value) => service.post(`${path}/legal-values`, { value })));
  const { legalValues } = (await service.get(path)).body;
  expect(legalValues.map(({ value }: { value: string }) => value).toSorted()).toEqual(wanted.toSorted());
});
