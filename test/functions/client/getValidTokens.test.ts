import { describe, expect, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import { newSecret } from '../../../lib/tokens/token.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { World } from '../../harness/world.ts';
import { serviceForEach, specify, test } from '../../specifications/specify.ts';

specify('getValidTokens', {
  route: 'POST /edge/validate',
  may: 'anyone',
  request: async (world) => ({ body: { tokens: [await world.clientToken()] } }),
  required: ['tokens'],
  differs: 'tokens of SDKs only, at most 50 at once',
});

test('Valid tokens of SDKs are listed once each, with their scope, and no others', async ({ service, world }) => {
  const project = await world.project();
  const several = await world.clientToken({ projects: ['default', project], environment: 'production' });
  const frontend = await world.frontendToken();
  const scope = { projects: ['*'], environment: 'development' };
  const { value: expired } = await createApiToken(service.table, systemUser, {
    kind: 'client',
    name: 'late',
    ...scope,
    expiresAt: new Date(Date.now() - 1),
  });
  const others = [expired.secret, newSecret(scope), service.adminToken, await world.token(), '', 'no token'];
  const { status, body } = await service.post('/edge/validate', { tokens: [several, ...others, frontend, several] });
  expect([status, body]).toEqual([
    200,
    {
      tokens: [
        { token: several, type: 'client', projects: ['default', project], environment: 'production' },
        { token: frontend, type: 'frontend', ...scope },
      ],
    },
  ]);
});

describe('Whoever asks, the store', () => {
  const service = serviceForEach();
  const scope = { projects: ['*'], environment: 'development' };
  const strangers = (length: number) => Array.from({ length }, () => newSecret(scope));
  const ask = (tokens: readonly string[]) => service.post('/edge/validate', { tokens });
  const unitsOf = async (tokens: readonly string[]) => {
    const requests = await recordStoreRequests(service.table, () => ask(tokens));
    return requests.reduce((sum, { units }) => sum + units, 0);
  };

  test('is asked about 50 tokens at once, and more are refused', async () => {
    const { status, body } = await ask(strangers(51));
    expect([status, body.details[0].path]).toEqual([400, 'tokens']);
    expect(await unitsOf(strangers(51))).toBe(0);
    expect(await unitsOf(strangers(50))).toBeLessThanOrEqual(50);
  });

  test('is not asked about what no token of an SDK looks like, nor twice about an unknown one', async () => {
    expect(await unitsOf(['', 'no token', service.adminToken, newSecret('user'), 'a'.repeat(10_000)])).toBe(0);
    const [unknown = ''] = strangers(1);
    expect(await unitsOf([unknown])).toBeGreaterThan(0);
    expect(await unitsOf([unknown])).toBe(0);
    // As after a process was frozen, and its own clock with it.
    using _frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    using _later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(await unitsOf([unknown])).toBeGreaterThan(0);
  });

  test('is not asked about ever more unknown tokens: 429, while tokens that it knows are good', async () => {
    const known = await new World(service).clientToken();
    await ask([known]);
    const answers = [await ask(strangers(50)), await ask(strangers(50)), await ask(strangers(50))];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers['retry-after']).toBe('1');
    expect((await ask([known])).body.tokens).toMatchObject([{ token: known }]);
  });
});
