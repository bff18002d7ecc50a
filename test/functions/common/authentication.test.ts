import { beforeAll, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../lib/table/keys.ts';
import { transact } from '../../../lib/table/transact.ts';
import { identityTrustMs } from '../../../lib/users/caller.ts';
import { newSecret } from '../../../lib/users/token.ts';
import { addAdminTokens, createToken, revokeToken } from '../../../lib/users/token-store.ts';
import { ensureUser } from '../../../lib/users/user-store.ts';
import type { Answer, Service } from '../../harness/service.ts';
import { expectAccepted, expectRefused, type Operation, operations, preparedService } from './operations.ts';

let service: Service;
let expired: string;
let revoked: string;
let deserted: string;

beforeAll(async () => {
  service = await preparedService();
  const { table } = service;
  ({ secret: expired } = await createToken(table, { kind: 'admin', name: 'ci', expiresAt: new Date(Date.now() - 1) }));
  const { secret, id } = await createToken(table, { kind: 'admin', name: 'ci' });
  await revokeToken(table, id);
  revoked = secret;
  const user = await ensureUser(table, { username: 'leaver', rootRole: 'Admin' });
  ({ secret: deserted } = await createToken(table, { kind: 'user', user }));
  await transact(table, [{ remove: keys.user(user.id) }]);
});

const admin = () => service.adminToken;

/** What could stand in an authorization header and is no valid token. */
const badTokens: Record<string, () => string | null> = {
  'no header': () => null,
  'an empty header': () => '',
  'a space': () => ' ',
  'Bearer alone': () => 'Bearer',
  'Bearer and nothing after it': () => 'Bearer ',
  'Bearer twice': () => `Bearer Bearer ${admin()}`,
  'another scheme': () => `Basic ${Buffer.from(`admin:${admin()}`).toString('base64')}`,
  'a text that is no token': () => 'not-a-token',
  'the prefix of an admin token alone': () => '*:*.',
  'the prefix of a personal token alone': () => 'user:',
  'an unknown admin token': () => newSecret('admin'),
  'an unknown personal token': () => newSecret('user'),
  'the secret of an admin token after the prefix of a personal one': () => admin().replace('*:*.', 'user:'),
  'the beginning of a valid token': () => admin().slice(0, -1),
  'a valid token and more': () => `${admin()}0`,
  'a valid token in capitals': () => admin().toUpperCase(),
  'two tokens': () => `${admin()},${admin()}`,
  'a client token': () => 'default:development.0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  'a client token of all projects': () => '*:development.0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  'a huge token': () => `*:*.${'f'.repeat(200_000)}`,
  'letters beyond ASCII': () => '*:*.ключ😀',
  'NUL and line breaks': () => '*:*.\0\r\nx',
  'an expired token': () => expired,
  'a revoked token': () => revoked,
};

describe.each(operations.filter(({ declaration }) => !declaration.public))('$operationId', (operation) => {
  const call = (token: string | null) => callWith(operation, token);

  test('refuses whatever is no valid token with one and the same 401', async () => {
    const messages = new Set<string>();
    for (const [kind, token] of Object.entries(badTokens)) {
      const answer = await call(token());
      expectRefused(answer, 401, 'AuthenticationRequired');
      messages.add(`${answer.body.message} ${JSON.stringify(answer.body.details)}`);
      expect(messages.size, `${kind} is told apart`).toBe(1);
    }
  });

  test('takes a token alone, and after Bearer in any letter case', async () => {
    for (const token of [admin(), `Bearer ${admin()}`, `bearer   ${admin()}`]) {
      expect((await call(token)).status).not.toBe(401);
    }
  });

  if (operation.declaration.permission !== undefined)
    test('refuses the token of a user who is gone', async () => {
      expectRefused(await call(deserted), 401, 'AuthenticationRequired');
    });
});

describe.each(operations.filter(({ declaration }) => declaration.public))('$operationId', (operation) => {
  test('needs no token, and does not look at one', async () => {
    for (const token of [null, '', 'not-a-token', admin()]) expectAccepted(await callWith(operation, token));
  });
});

function callWith({ method, target, body }: Operation, token: string | null): Promise<Answer> {
  return service.call(method, target, { token, body });
}

describe('a token', () => {
  const call = (token: string) => service.get('/api/admin/environments', { token });

  test('that was in use is refused at the latest ten seconds after it is revoked', async () => {
    expect(identityTrustMs).toBeLessThanOrEqual(10_000);
    const { secret, id } = await createToken(service.table, { kind: 'admin', name: 'ci' });
    expect(await call(secret)).toMatchObject({ status: 200 });
    await revokeToken(service.table, id);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs + 1 });
    try {
      expect(await call(secret)).toMatchObject({ status: 401 });
    } finally {
      vi.useRealTimers();
    }
  });

  test('that was in use is refused from the moment on at which it expires', async () => {
    const expiresAt = new Date(Date.now() + 2_000);
    const { secret } = await createToken(service.table, { kind: 'admin', name: 'ci', expiresAt });
    expect(await call(secret)).toMatchObject({ status: 200 });
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt });
    try {
      expect(await call(secret)).toMatchObject({ status: 401 });
    } finally {
      vi.useRealTimers();
    }
  });

  test('works at once, even if it was tried before it existed', async () => {
    const token = newSecret('admin');
    expect(await call(token)).toMatchObject({ status: 401 });
    await addAdminTokens(service.table, [token]);
    expect(await call(token)).toMatchObject({ status: 200 });
  });

  test('is in no answer that refuses it', async () => {
    for (const token of [newSecret('admin'), newSecret('user'), expired, revoked]) {
      const { text, headers } = await call(token);
      expect(text + JSON.stringify(headers)).not.toContain(token.slice(5));
    }
  });
});
