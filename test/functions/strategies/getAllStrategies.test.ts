import { expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getAllStrategies', {
  route: 'GET /api/admin/strategies',
  may: 'any token',
  request: () => ({}),
});

test('The strategy types of the service come first, in the order of forms, then the others by name', async () => {
  const service = await freshService(readSeed({ strategies: [{ name: 'storeHours' }, { name: 'byTeam' }] }));
  const { body } = await service.get('/api/admin/strategies');
  expect(body.version).toBe(1);
  expect(body.strategies.map(({ name, displayName }: Record<string, string>) => [name, displayName])).toEqual([
    ['flexibleRollout', 'Gradual rollout'],
    ['default', 'Standard'],
    ['userWithId', 'UserIDs'],
    ['remoteAddress', 'IPs'],
    ['applicationHostname', 'Hosts'],
    ['byTeam', null],
    ['storeHours', null],
  ]);
  const [rollout, , userWithId, , , byTeam] = body.strategies;
  expect(rollout).toMatchObject({
    title: null,
    editable: false,
    deprecated: false,
    parameters: [{ name: 'rollout', type: 'percentage', required: false }, { name: 'stickiness' }, { name: 'groupId' }],
  });
  expect(userWithId.deprecated).toBe(true);
  expect(byTeam).toMatchObject({ description: '', editable: true, parameters: [] });
});
