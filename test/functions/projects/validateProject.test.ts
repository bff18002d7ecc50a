import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { codePoint } from '../../harness/code-point.ts';
import { writesNothing } from '../../harness/imports.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('validateProject', {
  route: 'POST /api/admin/projects/validate',
  may: ['Admin', 'Editor'],
  needs: ['CREATE_PROJECT'],
  request: (world) => ({ body: { id: world.name('project') } }),
  required: ['id'],
});

const path = '/api/admin/projects/validate';

const service = sharedService(readSeed({ projects: [{ id: 'taken' }] }));

const validate = (id: unknown) => service.post(path, { id });

describe('An id for a project', () => {
  test.each(['a', 'A-Z_a.z~0!9', "*'()-", '...', '.a', 'p'.repeat(100), 'Default', 'validate'])(
    'may be %s: 200 without a body, and nothing is written',
    async (id) => {
      expect(await writesNothing(service, () => validate(id))).toMatchObject({ status: 200, text: '' });
    },
  );

  test.each(['', '.', '..', ' ', 'a b', 'a/b', 'a%20b', 'a#b', 'a?b', 'ä', '世界', 'a\n', 'a\u0000', 'p'.repeat(101)])(
    'cannot be %j: 400',
    async (id) => {
      const { status, body } = await validate(id);
      expect([status, body.name]).toEqual([400, 'ValidationError']);
      expect(body.details).toMatchObject([{ path: 'id' }]);
    },
  );

  test.each(['default', 'taken'])('that a project has already is a 400 that says so: %s', async (id) => {
    const { status, body } = await validate(id);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.details).toMatchObject([{ path: 'id', message: expect.stringContaining(id) }]);
  });

  test('is good exactly where it is 1 to 100 characters that a URL leaves as they are, and not ., .. or *', async () => {
    const character = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...'abzAZ09_.!~*-()') },
      { weight: 1, arbitrary: codePoint },
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, maxLength: 102 }), async (id) => {
        const isGood =
          /^.{1,100}$/su.test(id) &&
          id.isWellFormed() &&
          encodeURIComponent(id) === id &&
          !['.', '..', '*'].includes(id);
        expect((await validate(id)).status).toBe(isGood ? 200 : 400);
      }),
      { numRuns: 100 },
    );
  });
});
