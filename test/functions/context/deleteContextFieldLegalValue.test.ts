import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteContextFieldLegalValue', {
  route: 'DELETE /api/admin/context/{contextField}/legal-values/{legalValue}',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_CONTEXT_FIELD'],
  request: async (world) => {
    const legalValue = world.name('value');
    return { params: { contextField: await world.contextField({ legalValues: [{ value: legalValue }] }), legalValue } };
  },
  takesAnyName: ['legalValue'],
});

test('A legal value is taken away whatever its characters, and a value that is not there is not missed', async ({
  service,
  world,
}) => {
  const legalValues = [{ value: 'a b & c?#ü 50%' }, { value: 'CH' }];
  const path = `/api/admin/context/${await world.contextField({ legalValues })}`;
  for (const value of ['a b & c?#ü 50%', 'missing']) {
    const answer = await service.call('DELETE', `${path}/legal-values/${encodeURIComponent(value)}`);
    expect(answer).toMatchObject({ status: 200, text: '' });
  }
  expect((await service.get(path)).body.legalValues).toEqual([{ value: 'CH' }]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'context-field-updated',
    data: { legalValues: [{ value: 'CH' }] },
    preData: { legalValues },
  });
});
