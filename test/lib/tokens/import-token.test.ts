import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { listTokens } from '../../../lib/identity/tokens/tokens.ts';
import { importToken, type TokenInUse } from '../../../lib/tokens/import-token.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { serviceForEach } from '../../specifications/specify.ts';

describe('A token of another server', () => {
  const service = serviceForEach();
  let project: string;
  beforeEach(async () => {
    project = await new World(service).project();
  });
  const takeOver = (secret: string, more: Partial<TokenInUse> = {}) =>
    importToken(service.table, systemUser, { kind: 'client', name: 'moved', secret, ...more });
  const ofSeveral = () => makeSecret({ projects: ['a', 'b'], environment: 'production' });
  const bare = () => randomBytes(28).toString('hex');

  test.each<[string, () => string, Partial<TokenInUse>, object]>([
    ['of all projects', () => makeSecret({ projects: ['*'], environment: 'production' }), {}, { projects: ['*'] }],
    ['of one', () => makeSecret({ projects: ['default'], environment: 'production' }), {}, { projects: ['default'] }],
    ['of several', ofSeveral, { projects: ['default', '*'] }, { projects: ['*'] }],
    [
      'of one that is called otherwise',
      () => makeSecret({ projects: ['old'], environment: 'production' }),
      { projects: ['default'] },
      { projects: ['default'] },
    ],
    ['without a prefix', bare, { projects: ['*'], environment: 'production' }, { projects: ['*'] }],
  ])('works on with its secret: one %s', async (_of, make, more, expected) => {
    const secret = make();
    await takeOver(secret, more);
    expect((await service.get('/api/client/missing', { token: secret })).status).toBe(404);
    expect((await service.get('/api/frontend/missing', { token: secret })).status).toBe(403);
    const { tokens } = (await service.post('/edge/validate', { tokens: [secret] })).body;
    expect(tokens).toEqual([{ token: secret, type: 'client', environment: 'production', ...expected }]);
    expect((await service.get('/api/admin/api-tokens')).text).not.toContain(secret);
    expect(JSON.stringify(await serviceEvents(service.table))).not.toContain(secret);
    const path = `/api/admin/api-tokens/${encodeURIComponent(secret)}`;
    expect((await service.call('DELETE', path)).status).toBe(200);
  });

  test('is added once, and not with another scope', async () => {
    const [secret, places] = [bare(), { projects: ['default', project], environment: 'production' }];
    const count = (await listTokens(service.table)).length;
    await Promise.all([1, 2, 3].map(() => takeOver(secret, places)));
    await takeOver(secret, { ...places, projects: [project, 'default'] });
    expect(await listTokens(service.table)).toHaveLength(count + 1);
    for (const other of [{ projects: ['*'] }, { environment: 'development' }, { kind: 'frontend' as const }]) {
      await expect(takeOver(secret, { ...places, ...other })).rejects.toMatchObject({ name: 'NameExistsError' });
    }
  });

  test('is refused with all problems, without showing its secret', async () => {
    const problemsOf = (secret: string, more: Partial<TokenInUse> = {}) =>
      takeOver(secret, more).then(
        () => [],
        ({ details }) => details.map(({ message }: { message: string }) => message),
      );
    const [projects, environment] = ['projects', 'environment'].map(
      (which) =>
        `The secret does not name its ${which}: name ${which === 'projects' ? 'them with --project' : 'it with --environment'}.`,
    );
    expect(await problemsOf(bare())).toEqual([projects, environment]);
    expect(await problemsOf(ofSeveral())).toEqual([projects]);
    expect(await problemsOf(ofSeveral(), { projects: ['lost'], environment: 'nowhere' })).toEqual([
      'There is no environment "nowhere".',
      'There is no project "lost".',
    ]);
    for (const none of ['', 'short', makeSecret('user'), makeSecret('admin'), 'x'.repeat(56)]) {
      expect(await problemsOf(none)).toEqual([expect.stringMatching(/^The secret must be that of an SDK token/)]);
    }
  });
});
