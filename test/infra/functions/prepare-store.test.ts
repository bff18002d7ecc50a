import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CustomResourceEvent } from '../../../infra/functions/custom-resource.ts';
import { handler } from '../../../infra/functions/prepare-store.ts';
import { listEnvironments } from '../../../lib/environments/environments.ts';
import type { Table } from '../../../lib/table/table.ts';
import { identify } from '../../../lib/users/caller.ts';
import { listTokens, revokeToken } from '../../../lib/users/tokens.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { freshTable } from '../../harness/table.ts';
import { type Answer, type Loopback, loopback } from './loopback.ts';

const random = 'Zx81Qm40Tk92Wv37Lp56Rs18Yn63Hc75Df20Gb49';
const random2 = 'b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d904';

let table: Table;
let secrets: Loopback;
let cloudFormation: Loopback;
/** What Secrets Manager answers. */
let secretAnswer: () => Answer | Promise<Answer>;
/** What CloudFormation says to the answer it receives. */
let acceptance: Answer;
let logged: unknown[];

const holding = (SecretString: string) => (): Answer => ({
  status: 200,
  body: JSON.stringify({ ARN: 'arn:secret', Name: 'first', SecretString }),
});
const refusing =
  (__type: string, message: string): (() => Answer) =>
  () => ({ status: 400, body: JSON.stringify({ __type, message }) });

beforeEach(async () => {
  table = await freshTable();
  secretAnswer = holding(random);
  acceptance = { status: 200 };
  secrets = await loopback(() => secretAnswer());
  cloudFormation = await loopback(() => acceptance);
  vi.stubEnv('FIRST_TOKEN_SECRET', 'arn:secret');
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.url);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
  logged = [];
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void logged.push(...parts));
  }
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await secrets[Symbol.asyncDispose]();
  await cloudFormation[Symbol.asyncDispose]();
});

const event = (RequestType: CustomResourceEvent['RequestType']): CustomResourceEvent => ({
  RequestType,
  ResponseURL: `${cloudFormation.url}/answer?signature=abc`,
  StackId: 'arn:stack',
  RequestId: 'request-1',
  LogicalResourceId: 'PreparedStore',
  ...(RequestType !== 'Create' && { PhysicalResourceId: 'PreparedStore' }),
});

/** Calls the function, and gives what it told CloudFormation. */
async function call(RequestType: CustomResourceEvent['RequestType'], remaining = 60_000) {
  await handler(event(RequestType), { getRemainingTimeInMillis: () => remaining });
  return cloudFormation.received.at(-1)?.body;
}

const identity = {
  StackId: 'arn:stack',
  RequestId: 'request-1',
  LogicalResourceId: 'PreparedStore',
  PhysicalResourceId: 'PreparedStore',
};

test('a created store has the content of every store, and an admin token of the random part in the secret', async () => {
  await expect(call('Create')).resolves.toEqual({ Status: 'SUCCESS', ...identity });

  await expect(listEnvironments(table)).resolves.toHaveLength(3);
  await expect(identify(table, `*:*.${random}`)).resolves.toMatchObject({ kind: 'admin' });
  expect(secrets.received.map(({ body }) => body)).toEqual([{ SecretId: 'arn:secret' }]);
});

test('the answer is a PUT without a type of content, which the signature of its address does not cover', async () => {
  await call('Create');
  expect(cloudFormation.received).toHaveLength(1);
  expect(cloudFormation.received[0]?.method).toBe('PUT');
  expect(cloudFormation.received[0]?.headers).not.toHaveProperty('content-type');
  expect(cloudFormation.received[0]?.headers).toHaveProperty('content-length');
});

test('two updates add nothing and keep the identity of the resource', async () => {
  await call('Create');
  const tokens = await listTokens(table);
  const events = await serviceEvents(table);

  await expect(call('Update')).resolves.toEqual({ Status: 'SUCCESS', ...identity });
  await expect(call('Update')).resolves.toEqual({ Status: 'SUCCESS', ...identity });

  await expect(listTokens(table)).resolves.toEqual(tokens);
  await expect(serviceEvents(table)).resolves.toEqual(events);
});

test('after the secret has changed, an update adds its token, and the one of before stays until it is revoked', async () => {
  await call('Create');
  const [first] = await listTokens(table);
  // As a shell or an editor writes it.
  secretAnswer = holding(`${random2}\n`);
  await expect(call('Update')).resolves.toMatchObject({ Status: 'SUCCESS' });
  await expect(listTokens(table)).resolves.toHaveLength(2);

  await revokeToken(table, first?.id ?? '');
  await call('Update');
  const [left, ...others] = await listTokens(table);
  expect([left?.id === first?.id, others]).toEqual([false, []]);
});

test('a deletion asks for no secret and leaves the store as it is', async () => {
  await call('Create');
  const asked = secrets.received.length;
  await expect(call('Delete')).resolves.toEqual({ Status: 'SUCCESS', ...identity });
  expect(secrets.received).toHaveLength(asked);
  await expect(listTokens(table)).resolves.toHaveLength(1);
});

test('rights that are missing at first are waited for', async () => {
  let calls = 0;
  secretAnswer = () => {
    calls += 1;
    return calls === 1 ? refusing('AccessDeniedException', 'Not authorized.')() : holding(random)();
  };
  await expect(call('Create')).resolves.toMatchObject({ Status: 'SUCCESS' });
  await expect(listTokens(table)).resolves.toHaveLength(1);
});

test.each<[what: string, answer: () => Answer, reason: string]>([
  [
    'that does not exist',
    refusing('ResourceNotFoundException', 'Secrets Manager can’t find the specified secret.'),
    'ResourceNotFoundException: Secrets Manager can’t find the specified secret.',
  ],
  [
    'whose answer is cut off',
    () => ({ status: 200, body: `{"SecretString":"${random}` }),
    'Error: The secret of the first token could not be read: SyntaxError',
  ],
  [
    'whose answer is no JSON',
    () => ({ status: 200, body: random }),
    'Error: The secret of the first token could not be read: SyntaxError',
  ],
  [
    'that is easy to guess',
    holding('password'),
    'Error: The secret of the first token must hold 22 to 256 letters and digits and nothing else.',
  ],
  [
    'that holds the whole token',
    holding(`*:*.${random}`),
    'Error: The secret of the first token must hold 22 to 256 letters and digits and nothing else.',
  ],
])('a secret %s fails with its reason and writes nothing', async (_what, answer, Reason) => {
  secretAnswer = answer;
  await expect(call('Create')).resolves.toEqual({ Status: 'FAILED', Reason, ...identity });
  await expect(listTokens(table)).resolves.toEqual([]);
  await expect(listEnvironments(table)).resolves.toEqual([]);
});

test('a table that does not exist fails with its reason', async () => {
  vi.stubEnv('TABLE_NAME', 'missing');
  await expect(call('Create')).resolves.toMatchObject({
    Status: 'FAILED',
    Reason: expect.stringContaining('ResourceNotFoundException'),
  });
});

test('work that takes too long is told of before the function is stopped', async () => {
  secretAnswer = () => new Promise(() => {});
  await expect(call('Create', 10_050)).resolves.toMatchObject({ Status: 'FAILED', Reason: 'It took too long.' });
});

test('an answer that CloudFormation does not take fails the call, so that Lambda makes it again', async () => {
  acceptance = { status: 403 };
  await expect(call('Create')).rejects.toThrow('CloudFormation did not take the answer: 403.');
});

test('neither a log line nor an answer ever shows the secret', async () => {
  await call('Create');
  await call('Update');
  for (const answer of [
    () => ({ status: 200, body: `{"SecretString":"${random}` }),
    () => ({ status: 200, body: `"${random}` }),
    holding(`${random} and more`),
  ]) {
    secretAnswer = answer;
    await expect(call('Update')).resolves.toMatchObject({ Status: 'FAILED' });
  }
  secretAnswer = holding(random);
  vi.stubEnv('TABLE_NAME', 'missing');
  await expect(call('Update')).resolves.toMatchObject({ Status: 'FAILED' });

  expect(logged).toHaveLength(4);
  const shown = JSON.stringify([logged, cloudFormation.received]);
  // Not even a part of it, as Node's JSON.parse quotes what it does not understand.
  for (let from = 0; from + 6 <= random.length; from += 1) expect(shown).not.toContain(random.slice(from, from + 6));
  expect(shown).not.toContain('signature=abc');
});
