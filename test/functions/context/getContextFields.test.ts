import { expect, test } from 'vitest';
import { readSeed } from '../../../lib/seed/seed-data.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getContextFields', {
  route: 'GET /api/admin/context',
  may: 'any token',
  request: () => ({}),
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
    description: '',
    stickiness: false,
    sortOrder: 10,
    createdAt: expect.any(String),
    legalValues,
  });
});
