import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { newSecret } from '../../../lib/tokens/token.ts';
import { runProgram, startCommand } from '../commands/run-command.ts';
import { sharedRuntime, startRuntime, temporaryDirectory } from './local-runtime.ts';

const program = {
  'content-type': 'application/x-amz-json-1.0',
  authorization:
    'AWS4-HMAC-SHA256 Credential=a/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20000101T000000Z',
};
const page = { origin: 'http://localhost:3000' };

/** Sends bytes as a browser would, which Node's own fetch does not let us do. */
async function send(endpoint: string, operation: string, body: unknown, headers: object, method = 'POST') {
  const sent = request(endpoint, {
    method,
    headers: { 'x-amz-target': `DynamoDB_20120810.${operation}`, ...headers },
  }).end(JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('the address of the store that a start shows', () => {
  const plain = sharedRuntime();

  test('serves programs, and refuses all that a web page can send, to read and to write', async () => {
    const { printed } = await plain();
    const [, endpoint = ''] = /store is (http:[^,]+),/.exec(printed) ?? [];
    const key = { pk: { S: 'planted' }, sk: { S: 'planted' } };
    const scan = (headers: object, method?: string) =>
      send(endpoint, 'Scan', { TableName: 'flagstaff' }, headers, method);
    const put = (headers: object) => send(endpoint, 'PutItem', { TableName: 'flagstaff', Item: key }, headers);

    for (const headers of [
      { ...program, ...page },
      { ...program, origin: 'null' },
      { ...program, origin: endpoint },
      { ...program, 'sec-fetch-mode': 'no-cors' },
      // Its name pointed elsewhere when the page was loaded.
      { ...program, host: `rebound.example:${new URL(endpoint).port}` },
      // What is sent without asking first.
      { ...program, 'content-type': 'text/plain' },
      { ...program, 'content-type': 'application/x-www-form-urlencoded' },
    ]) {
      for (const { status, headers: answered, body } of [await scan(headers), await put(headers)]) {
        expect(status).toBe(403);
        expect(answered['access-control-allow-origin']).toBeUndefined();
        expect(body).not.toContain('passwordHash');
      }
    }
    expect((await scan({ ...program, ...page }, 'OPTIONS')).status).toBe(403);
    expect((await scan(program, 'GET')).status).toBe(403);

    const { status, body } = await scan(program);
    expect(status).toBe(200);
    expect(body).toContain('passwordHash');
    expect(body).not.toContain('planted');
  });

  test('is kept for the commands in the data folder, for this user alone, while the server runs', async () => {
    const DATA_DIR = join(await temporaryDirectory(), 'data');
    const runtime = await startRuntime({ DATA_DIR, INIT_ADMIN_API_TOKENS: newSecret('admin') });
    const modes = await Promise.all(
      ['', 'running.json', 'flagstaff.db', 'flagstaff.db-wal'].map(
        async (name) => (await stat(join(DATA_DIR, name))).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
    const settings = { DYNAMODB_ENDPOINT: '', TABLE_NAME: '', STORE_PORT: '', DATA_DIR };
    const { code, stdout } = await startCommand('token', ['--list'], settings);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^id +kind .*\n[0-9a-f]{16} +admin /) });

    runtime.signal('SIGTERM');
    await runtime.ended;
    expect(await readdir(DATA_DIR)).not.toContain('running.json');
    expect(await runProgram('token', ['--list'], settings)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^No "npm start" runs with DATA_DIR ".*": run it in another terminal, or [^\n]*\n$/,
      ),
    });
  });

  test('is the port that STORE_PORT asks for, which the commands find, too', async () => {
    const { storePort } = await plain();
    const { code } = await runProgram('token', ['--list'], {
      DYNAMODB_ENDPOINT: '',
      TABLE_NAME: '',
      STORE_PORT: String(storePort),
    });
    expect(code).toBe(0);
  });
});
