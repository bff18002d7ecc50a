import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { acceptLocalToken } from '../../../infra/local/local-token.ts';
import { openLocalStore } from '../../../infra/local/serve.ts';
import { readSettings } from '../../../infra/local/settings.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { identify } from '../../../lib/identity/caller.ts';
import { hashOf, makeSecret } from '../../../lib/identity/tokens/token.ts';
import { createToken, tokens } from '../../../lib/identity/tokens/tokens.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { createEnvironmentRequest, type Request } from '../../../lib/request.ts';
import { setPassword } from '../../../lib/sign-in/passwords/passwords.ts';
import { findUserId } from '../../../lib/sign-in/passwords/records.ts';
import * as keys from '../../../lib/store/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { addInitTokens } from '../../../lib/tokens/init-tokens.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { freshTable } from '../../harness/table.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { type LocalRuntime, sharedRuntime, startRuntime } from './local-runtime.ts';

const anyRead = '/api/admin/environments';
const own = makeSecret('admin');
const unleashs = '*:*.unleash-insecure-admin-api-token';

const isAccepted = async (runtime: LocalRuntime, secret = insecureLocalToken) =>
  (await runtime.status(anyRead, secret)) === 200;

const DATA_DIR = folderOfTests();

/** The store of the runtimes in that folder, for the time of a test. */
async function sharedStore(): Promise<Request> {
  const store = await openEmbeddedStore(DATA_DIR);
  vi.stubEnv('DYNAMODB_ENDPOINT', store.address);
  vi.stubEnv('TABLE_NAME', 'flagstaff');
  onTestFinished(() => store.close());
  return createEnvironmentRequest();
}

const isStored = async (table: Request, secret: string) => (await tokens.find(table, hashOf(secret))) !== undefined;

describe('The insecure token', () => {
  const fresh = sharedRuntime({ DATA_DIR });

  test('has all permissions on a fresh store, which does not contain it', async () => {
    const runtime = await fresh();
    const made = await runtime.ask('/api/admin/user-admin', insecureLocalToken, { username: 'zoe', rootRole: 3 });
    expect(made.status).toBe(201);
    const table = await sharedStore();
    expect(await isStored(table, insecureLocalToken)).toBe(false);
  });

  test('is refused while the store is being restored', async () => {
    const table = await sharedStore();
    const item = { sha256: '', run: '', replaces: true, isEmptied: false, written: 0 };
    await transact(table, [{ put: keys.restoring(), item, when: 'absent' }], undefined);
    await vi.waitUntil(async () => !(await isAccepted(await fresh())), { timeout: 10_000, interval: 200 });
    await transact(table, [{ remove: keys.restoring(), when: { same: { run: '' } } }], undefined);
    await vi.waitUntil(async () => isAccepted(await fresh()), { timeout: 10_000, interval: 200 });
  });

  test('is valid until there is an admin token, also while the server runs, and after its next start', async () => {
    const runtime = await fresh();
    const table = await sharedStore();
    expect(await isAccepted(runtime)).toBe(true);
    await createToken(table, { kind: 'admin', name: 'mine' });
    await vi.waitUntil(async () => !(await isAccepted(runtime)), { timeout: 10_000, interval: 200 });
    await runtime.untilPrinted(/is no longer accepted, since somebody has an admin token.*npm run --silent token/);
    const second = await startRuntime({ DATA_DIR });
    expect(second.printed).not.toContain('insecure');
    expect(await isAccepted(second)).toBe(false);
  });

  // That a server then does not speak of it is in start.test.ts.
  test('is refused with each setting that exposes the server or has a credential, and after somebody chooses a password', async () => {
    const table = await freshTable();
    await prepareStore(table, { adminTokens: [] });
    const isAcceptedWith = async (variables: Readonly<Record<string, string>>) => {
      const said = await acceptLocalToken(table, readSettings(variables), storeEndpoint());
      expect((await identify(anotherProcess(table), insecureLocalToken)) !== undefined).toBe(said);
      return said;
    };
    expect(await isAcceptedWith({})).toBe(true);
    expect(await isAcceptedWith({ ALLOWED_HOSTS: 'localhost', TRUSTED_PROXIES: '0' })).toBe(true);
    for (const variables of [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://flags.example.com' },
      { ALLOWED_HOSTS: 'flags.example.com' },
      { TRUSTED_PROXIES: '1' },
      { INIT_ADMIN_API_TOKENS: own },
      { INIT_ADMIN_PASSWORD: 'Correct-horse-7' },
    ]) {
      expect(await isAcceptedWith(variables), JSON.stringify(variables)).toBe(false);
    }
    expect(await isAcceptedWith({})).toBe(true);
    const admin = (await findUserId(table, 'admin')) as number;
    await setPassword(table, systemUser, admin, 'Correct-horse-7');
    expect(await isAcceptedWith({})).toBe(false);
  });

  test('is deleted from a store, together with tokens of other examples if others can reach the server', async () => {
    const table = await freshTable();
    const { TABLE_NAME = '' } = process.env;
    const open = (variables: Readonly<Record<string, string>>) =>
      openLocalStore(readSettings({ TABLE_NAME, ...variables }), storeEndpoint());
    const known = [insecureLocalToken, unleashs, own];
    const accepted = () =>
      Promise.all(known.map(async (each) => (await identify(anotherProcess(table), each)) !== undefined));
    await open({});
    await addInitTokens(table, { adminTokens: known });
    await open({});
    expect(await isStored(table, insecureLocalToken)).toBe(false);
    expect(await accepted()).toEqual([false, true, true]);
    await addInitTokens(table, { adminTokens: [insecureLocalToken] });
    await open({ HOST: '0.0.0.0' });
    expect(await accepted()).toEqual([false, false, true]);
    // Written into the store while the server runs, it opens nothing either.
    await addInitTokens(table, { adminTokens: [insecureLocalToken] });
    expect(await accepted()).toEqual([false, false, true]);
  });
});

describe('A well-known secret', () => {
  test.each([
    ['INIT_ADMIN_API_TOKENS', insecureLocalToken],
    ['INIT_ADMIN_API_TOKENS', unleashs],
    ['INIT_CLIENT_API_TOKENS', 'default:development.unleash-insecure-api-token'],
    ['INIT_BACKEND_API_TOKENS', 'default:development.unleash-insecure-api-token'],
    ['INIT_FRONTEND_API_TOKENS', 'default:development.unleash-insecure-frontend-api-token'],
    ['INIT_ADMIN_PASSWORD', 'unleash4all'],
  ])('is accepted for %s on loopback addresses only: %s', (variable, value) => {
    expect(() => readSettings({ [variable]: value })).not.toThrow();
    for (const reachable of [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://flags.example.com' },
      { ALLOWED_HOSTS: 'localhost, flags.example.com' },
      { TRUSTED_PROXIES: '1' },
    ]) {
      expect(() => readSettings({ ...reachable, [variable]: value })).toThrow(
        new RegExp(`^${variable} has a well-known secret`),
      );
    }
  });

  test('does not include a repeated word, however long', () => {
    for (const secret of ['password-password-password-1', 'Secret-7-Secret-7-Secret-7-Secret-7']) {
      expect(() => readSettings({ INIT_ADMIN_API_TOKENS: `*:*.${secret}` })).toThrow('INIT_ADMIN_API_TOKENS must be');
    }
  });
});
