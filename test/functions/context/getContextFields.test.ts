import { expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { freshService } from '../../harness/service.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getContextFields', {
  route: 'GET /api/admin/context',
  may: 'any token',
  request: () => ({ query: { include: 'project' } }),
  // The projects are asked for first, and then for what their features use.
  waits: 2,
});

test('The context fields are a bare list, by name, with those that every store has', async () => {
  const legalValues = [{ value: 'CH', description: 'Switzerland' }, { value: 'NZ' }];
  const service = await freshService(readSeed({ contextFields: [{ name: 'country', legalValues }] }));
  const { body } = await service.get('/api/admin/context');
  expect(body.map(({ name, sortOrder, stickiness }: Record<string, unknown>) => [name, sortOrder, stickiness])).toEqual(
    [
      ['appName', 2, false],
      ['country', 10, false],
      ['currentTime', 3, false],
      ['environment', 0, false],
      ['sessionId', 4, true],
      ['userId', 1, false],
    ],
  );
  expect(body[1]).toEqual({
    name: 'country',
    description: null,
    stickiness: false,
    sortOrder: 10,
    createdAt: expect.any(String),
    legalValues,
    usedInFeatures: 0,
    usedInProjects: 0,
  });
});

test('A context field counts the live features that compare it, and their projects', async ({ service, world }) => {
  const strategy = {
    name: 'default',
    disabled: true,
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
  };
  await world.feature({ strategies: [strategy, strategy] });
  await world.feature({ strategies: [strategy], project: await world.project() });
  await world.feature({ strategies: [strategy], archived: true });
  const { body } = await service.get('/api/admin/context');
  expect(body.find(({ name }: { name: string }) => name === 'userId')).toMatchObject({
    usedInFeatures: 2,
    usedInProjects: 2,
  });
});
