import { expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getTagTypes', {
  route: 'GET /api/admin/tag-types',
  may: 'any token',
  request: () => ({}),
});

test('Every store has the tag type simple; others are listed with it', async () => {
  const service = await freshService(readSeed({ tagTypes: [{ name: 'team', icon: 'T', color: '#FF8800' }] }));
  expect((await service.get('/api/admin/tag-types')).body).toEqual({
    version: 1,
    tagTypes: [
      { name: 'simple', description: expect.any(String), icon: '#', color: '#FFFFFF' },
      { name: 'team', description: '', icon: 'T', color: '#FF8800' },
    ],
  });
});
