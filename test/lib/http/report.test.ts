import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../../lib/errors.ts';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { ensureUser } from '../../../lib/people/ensure-user.ts';
import { addFeatures, paths } from '../../harness/features.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { sharedService } from '../../specifications/specify.ts';
import { callFor, endpointThat } from './requests.ts';

/** The one line that is written about the one request of `action`. */
async function lineOf(action: () => unknown): Promise<Readonly<Record<string, unknown>>> {
  const { log } = await linesWrittenBy(action);
  expect(log).toHaveLength(1);
  return log[0] ?? {};
}

describe('the line of a request', () => {
  const service = sharedService(readSeed({ users: [{ username: 'alice', rootRole: 'Editor' }] }));

  beforeAll(async () => {
    await addFeatures(service, ['checkout']);
  });

  test('has only the caller, the route, the status, the duration and the cost at the store', async () => {
    const line = await lineOf(() => service.get(paths.variants('checkout')));
    expect(line).toEqual({
      level: 'INFO',
      message: 'answered',
      timestamp: expect.any(String),
      service: 'flagstaff',
      sampling_rate: 0,
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
      status: 200,
      userId: -42,
      durationMs: expect.any(Number),
      storeRoundTrips: 1,
      storeWaits: 1,
      consumedReadUnits: expect.any(Number),
      consumedWriteUnits: 0,
    });
    expect(line.durationMs).toBeGreaterThan(0);
    // The project and the feature; of the feature's state, which is not there, AWS's emulator charges nothing.
    expect(line.consumedReadUnits).toBeGreaterThanOrEqual(2);
  });

  test('of a change counts concurrent calls as one wait', async () => {
    const line = await lineOf(() => service.put(paths.feature('checkout'), { description: 'The new one' }));
    // The project and the feature are read and the event gets its id; then all is written.
    expect(line).toMatchObject({ storeRoundTrips: 4, storeWaits: 2 });
    // A transaction takes two units for each item, of which there are two; the event's id takes one.
    expect(line.consumedWriteUnits).toBeGreaterThanOrEqual(5);
    expect(line.consumedReadUnits).toBeGreaterThanOrEqual(2);
  });

  test('names the user of a personal token, even if the user is not loaded', async () => {
    const user = await ensureUser(service.table, { username: 'bob', rootRole: 'Editor' });
    const { secret: token } = await createToken(service.table, { kind: 'user', user });
    expect(await lineOf(() => service.put(paths.feature('checkout'), {}, { token }))).toMatchObject({
      userId: user.id,
    });
    expect(await lineOf(() => service.get('/api/admin/environments', { token }))).toMatchObject({ userId: user.id });
  });

  test('of a refused caller names the error, no user and no stack', async () => {
    const line = await lineOf(() => service.get('/api/admin/environments', { token: 'user:nobody-knows-this' }));
    expect(line).toMatchObject({ level: 'INFO', message: 'refused', status: 401, error: 'AuthenticationRequired' });
    expect(line).not.toHaveProperty('userId');
    expect(line).not.toHaveProperty('stack');
  });

  test('of a body that is not JSON names the error in the reply', async () => {
    const body = '{"name": "never-to-be-told"';
    const line = await lineOf(() => service.call('POST', '/api/admin/features-batch/import', { body }));
    expect(line).toMatchObject({ level: 'INFO', status: 400, error: 'ValidationError' });
  });

  test('of an unknown path does not contain the path', async () => {
    const line = await lineOf(() => service.get('/api/admin/somewhere-else'));
    expect(line).toMatchObject({ route: '$default', status: 404, error: 'NotFoundError' });
    expect(JSON.stringify(line)).not.toContain('somewhere-else');
  });

  test('has only the values of its own request when others run at the same time and share its reads', async () => {
    const alone = await lineOf(() => service.get(paths.variants('checkout')));
    const { log } = await linesWrittenBy(() =>
      Promise.all(Array.from({ length: 8 }, () => service.get(paths.variants('checkout')))),
    );
    expect(log).toHaveLength(8);
    for (const line of log) {
      expect(line).toMatchObject({ storeRoundTrips: 1, storeWaits: 1 });
      expect(line.consumedReadUnits).toBeLessThanOrEqual(alone.consumedReadUnits as number);
    }
  });
});

describe('the line of an internal error', () => {
  test('has the stack, which the caller does not get', async () => {
    const handler = endpointThat(() => {
      throw new TypeError('lamps are not iterable');
    });
    let body: string | undefined;
    const line = await lineOf(async () => {
      body = (await callFor(handler)).body;
    });
    expect(line).toMatchObject({ level: 'ERROR', message: 'refused', status: 500, error: 'InternalError' });
    expect(line.stack).toMatch(/^TypeError: lamps are not iterable\n +at .*report\.test\.ts/);
    expect(JSON.parse(body ?? '')).toMatchObject({ id: line.requestId, name: 'InternalError' });
    expect(body).not.toMatch(/lamps|TypeError|report\.test/);
  });

  test('has the stack of the cause as well', async () => {
    const handler = endpointThat(() => {
      throw Object.assign(new ApiError('ServiceUnavailable', 'Try again.'), { cause: new Error('the line is cut') });
    });
    const line = await lineOf(() => callFor(handler));
    expect(line).toMatchObject({ level: 'ERROR', status: 503, error: 'ServiceUnavailable' });
    const [own, cause] = String(line.stack).split('\nCaused by: ');
    expect(own).toMatch(/^\w+: Try again\.\n +at /);
    expect(cause).toMatch(/^Error: the line is cut\n +at /);
  });

  test('omits the message of a syntax error, which quotes the parsed text', async () => {
    const handler = endpointThat(() => JSON.parse('hunter2-and-more'));
    const line = await lineOf(() => callFor(handler));
    expect(line.stack).toMatch(/^SyntaxError\n +at /);
    expect(JSON.stringify(line)).not.toContain('hunter2');
  });

  test('does not contain a thrown value that is not an error', async () => {
    const handler = endpointThat(() => {
      throw 'hunter2-and-more';
    });
    const line = await lineOf(() => callFor(handler));
    expect(line).toMatchObject({ status: 500, stack: 'A value that is not an Error was thrown: string.' });
  });

  test('is written when the deadline passes', async () => {
    const handler = endpointThat(() => sleep(1_000));
    const line = await lineOf(() => callFor(handler, 'lamp', { leftMs: 350 }));
    expect(line).toMatchObject({ level: 'ERROR', status: 503, error: 'ServiceUnavailable' });
    expect(line.stack).toContain('TimeoutError');
  });
});

test('the value of a path variable is not logged', async () => {
  const line = await lineOf(() =>
    callFor(
      endpointThat(() => {}),
      'somebody@example.com',
    ),
  );
  expect(line).toMatchObject({ route: 'GET /things/{thing}' });
  expect(JSON.stringify(line)).not.toContain('somebody');
});
