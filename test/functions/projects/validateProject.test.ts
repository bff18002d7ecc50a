import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { writesNothing } from '../../harness/imports.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('validateProject', {
  route: 'POST /api/admin/projects/validate',
  ...openTo('Editor', 'CREATE_PROJECT'),
  request: (world) => ({ body: { id: world.name('project') } }),
  required: ['id'],
});

const path = '/api/admin/projects/validate';

const service = sharedService(readSeed({ projects: [{ id: 'taken' }] }));

const validate = (id: unknown) => service.post(path, { id });

describe('An id for a project', () => {
  test.each(['default', 'taken'])('that a project has already is a 400 that says so: %s', async (id) => {
    const { status, body } = await validate(id);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.details).toMatchObject([{ path: 'id', message: expect.stringContaining(id) }]);
  });

  // test/lib/values/primitives.test.ts has all that can be a name.
  test.each(["A-Z_a.z~0!9*'()", '...', 'p'.repeat(100), 'Default', 'validate'])(
    'may be %s: 200 without a body, and nothing is written',
    async (id) => {
      expect(await writesNothing(service, () => validate(id))).toMatchObject({ status: 200, text: '' });
    },
  );

  test.each(['', '..', '*', 'archive', 'a b', 'a%20b', '世界', 'p'.repeat(101)])('cannot be %j: 400', async (id) => {
    expect(await validate(id)).toMatchObject({ status: 400, body: { details: [{ path: 'id' }] } });
  });
});
