import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { restoreEnvironment } from '../../harness/environment.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';

describe.each([
  ['frontend', 'READ_FRONTEND_API_TOKEN', 'CREATE_FRONTEND_API_TOKEN'],
  ['client', 'READ_CLIENT_API_TOKEN', 'CREATE_CLIENT_API_TOKEN'],
])('The secret of a readable %s token', (type, mayRead, mayCreate) => {
  let service: Service;
  let world: World;
  let mine: string;
  let open: string;
  let hidden: string;
  /** The secrets of tokens, by the projects that they are for. */
  let secrets: Record<'all' | 'mine' | 'open' | 'both' | 'mixed' | 'hidden' | 'twoHidden', string>;

  beforeEach(async () => {
    process.env.READABLE_CLIENT_TOKENS = 'true';
    service = await freshService();
    world = new World(service);
    [mine, open, hidden] = [await world.project(), await world.project(), await world.project()];
    const other = await world.project();
    const make = async (...projects: string[]): Promise<string> =>
      (await world.ask('POST', '/api/admin/api-tokens', { tokenName: 'ci', type, projects })).body.secret;
    secrets = {
      all: await make('*'),
      mine: await make(mine),
      open: await make(open),
      both: await make(mine, open),
      mixed: await make(mine, hidden),
      hidden: await make(hidden),
      twoHidden: await make(hidden, other),
    };
    for (const project of [hidden, other]) {
      await world.ask('PUT', `/api/admin/projects/${project}/settings`, { mode: 'private' });
    }
    // For so long, a process may trust what it knows of private projects.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs });
  });
  afterEach(() => {
    vi.useRealTimers();
    restoreEnvironment();
  });

  /** The tokens of a list, by the names above, and those of them that it shows with their secrets. */
  async function listed(token: string, path: string) {
    const { status, body, text } = await service.get(`/api/admin${path}`, { token });
    expect(status).toBe(200);
    const tokens: { secret: string; secure: boolean }[] = body.tokens;
    for (const { secret, secure } of tokens) expect(secure).toBe(secret.includes('***'));
    const whole = Object.entries(secrets).filter(([, secret]) => text.includes(secret));
    return { count: tokens.length, whole: whole.map(([name]) => name) };
  }

  const ofRole = async (permissions: string[], memberOf: string[] = []) => {
    const role = await world.role({ type: 'root-custom', permissions: permissions.map((name) => ({ name })) });
    return world.tokenOfRole(
      role,
      memberOf.map((project) => ({ project, roles: [5] })),
    );
  };

  test('is shown to a Member of its only project', async () => {
    const token = await world.token({ inProject: { project: mine, role: 'Member' } });
    expect(await listed(token, `/projects/${mine}/api-tokens`)).toEqual({ count: 3, whole: ['mine'] });
  });

  test('is not shown to somebody who may only read tokens, even by name', async () => {
    for (const path of ['/api-tokens', '/api-tokens/ci']) {
      expect(await listed(await ofRole([mayRead]), path)).toEqual({ count: 5, whole: [] });
      expect(await listed(await ofRole([mayRead], [mine]), path)).toEqual({ count: 5, whole: ['mine'] });
    }
  });

  test('is shown to those who may create tokens, if they see all its projects', async () => {
    const permissions = [mayRead, mayCreate];
    expect(await listed(await ofRole(permissions), '/api-tokens')).toEqual({
      count: 5,
      whole: ['mine', 'open', 'both'],
    });
    expect(await listed(await ofRole(permissions, [hidden]), '/api-tokens')).toEqual({
      count: 7,
      whole: ['mine', 'open', 'both', 'mixed', 'hidden'],
    });
  });

  test('is shown to Admins and Editors, who may create tokens in every project', async () => {
    for (const rootRole of ['Admin', 'Editor'] as const) {
      const { whole } = await listed(await world.token({ rootRole }), '/api-tokens');
      expect(whole).toEqual(Object.keys(secrets));
    }
  });
});
