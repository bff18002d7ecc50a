import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { type LocalRuntime, runToEnd, sharedRuntime, startRuntime } from './local-runtime.ts';

const token = makeSecret('admin');

/** Each is asked for hosts first; what it has printed is read at its end. */
const onLoopback = sharedRuntime({ LOG_FORMAT: 'json', LOG_LEVEL: '' });
const withHosts = sharedRuntime({
  ALLOWED_HOSTS: 'flags.example, Other.example',
  INIT_ADMIN_API_TOKENS: token,
  LOG_FORMAT: 'text',
  LOG_LEVEL: 'WARN',
});
const beyondMachine = sharedRuntime({
  HOST: '0.0.0.0',
  PUBLIC_URL: 'https://flags.example/',
  ALLOWED_HOSTS: 'inside.example',
  INIT_ADMIN_API_TOKENS: token,
  LOG_FORMAT: 'text',
  LOG_LEVEL: '',
  FORCE_COLOR: '1',
});

/** Everything that a server has printed when it has answered one more request and ended. */
async function printedAtEnd(runtime: LocalRuntime): Promise<string> {
  await get(runtime.url);
  runtime.signal('SIGTERM');
  return (await runtime.ended).stdout;
}

async function get(url: string, host?: string, authorization = insecureLocalToken) {
  const headers = { authorization, ...(host !== undefined && { host }) };
  const [answer] = await once(request(`${url}/api/admin/environments`, { headers }).end(), 'response');
  return { status: answer.statusCode as number, body: await text(answer) };
}

describe('a server on a loopback address', () => {
  test('refuses other host names, which a web page was loaded by, in the shape of every error', async () => {
    const { url } = await onLoopback();
    const { port } = new URL(url);
    for (const host of [
      `rebound.example:${port}`,
      'rebound.example',
      'localhost.example',
      '127.0.0.1.example',
      '192.0.2.1',
    ]) {
      const { status, body } = await get(url, host);
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({
        name: 'NoAccessError',
        message: expect.stringContaining('ALLOWED_HOSTS'),
      });
    }
    for (const host of [
      `localhost:${port}`,
      'LOCALHOST',
      'app.localhost',
      '127.0.0.1',
      `[::1]:${port}`,
      'flagstaff:80',
      '',
    ]) {
      expect((await get(url, host)).status).toBe(200);
    }
  });

  test('serves the host names that ALLOWED_HOSTS names', async () => {
    const { url } = await withHosts();
    expect((await get(url, 'flags.example:4242', token)).status).toBe(200);
    expect((await get(url, 'other.example', token)).status).toBe(200);
    expect((await get(url, 'third.example', token)).status).toBe(403);
  });

  test.each([
    'evil.example?.localhost',
    'evil.example/.localhost',
    'evil.example#localhost',
    'evil@localhost',
    'localhost:',
    'localhost:80:80',
    '[::1',
    '[127.0.0.1]',
    'local host',
  ])('refuses a Host that is none: %s', async (host) => {
    const { url } = await onLoopback();
    const { status, body } = await get(url, host);
    expect({ status, message: JSON.parse(body).message }).toEqual({
      status: 400,
      message: expect.stringContaining('Host'),
    });
  });
});

describe('a server beyond loopback addresses', () => {
  test('serves its public name, its addresses and those of its network, what ALLOWED_HOSTS names, and nothing else', async () => {
    const { url } = await beyondMachine();
    for (const host of [
      'flags.example',
      'inside.example:80',
      '192.0.2.1:4242',
      '[2001:db8::1]',
      'localhost',
      'flags',
    ]) {
      expect((await get(url, host, token)).status, host).toBe(200);
    }
    for (const host of ['evil.example', 'flags.example.evil.example', '192.0.2.1.example']) {
      const { status, body } = await get(url, host, token);
      expect({ status, message: JSON.parse(body).message }).toEqual({
        status: 403,
        message: expect.stringContaining('ALLOWED_HOSTS'),
      });
    }
  });

  // When that is missing, start.test.ts shows what it says.
  test('is where PUBLIC_URL says', async () => {
    const { ask, printed } = await beyondMachine();
    const { unleashUrl } = await (await ask('/api/admin/ui-config', token)).json();
    expect(unleashUrl).toBe('https://flags.example');
    expect(printed).not.toContain('PUBLIC_URL');
  });
});

test('on a loopback address it is where it listens', async () => {
  const { ask, url, printed } = await onLoopback();
  const { unleashUrl } = await (await ask('/api/admin/ui-config', insecureLocalToken)).json();
  expect(unleashUrl).toBe(url);
  expect(printed).not.toContain('PUBLIC_URL');
});

describe('each request', () => {
  test('is a short line where people read, without its query, without the token in its path and without colour, and no JSON', async () => {
    const runtime = await startRuntime({ LOG_FORMAT: 'text', LOG_LEVEL: '', NO_COLOR: '1' });
    await get(runtime.url);
    await fetch(`${runtime.url}/api/nowhere?secret=1`);
    await fetch(`${runtime.url}/health`, { method: 'HEAD' });
    for (const folder of ['api-tokens', 'typing-slip']) {
      await fetch(`${runtime.url}/api/admin/${folder}/%2A:development.0123456789abcdef`, { method: 'DELETE' });
    }
    await runtime.untilPrinted(/typing-slip/);
    runtime.signal('SIGTERM');
    const { stdout } = await runtime.ended;
    const lines = stdout.trim().split('\n').slice(-5);
    expect(lines).toEqual([
      expect.stringMatching(/^GET \/api\/admin\/environments 200 \d+\.\d ms$/),
      expect.stringMatching(/^GET \/api\/nowhere 401 \d+\.\d ms$/),
      expect.stringMatching(/^HEAD \/health 200 \d+\.\d ms$/),
      expect.stringMatching(/^DELETE \/api\/admin\/api-tokens\/\*\*\* 401 \d+\.\d ms$/),
      expect.stringMatching(/^DELETE \/api\/admin\/typing-slip\/\*\*\* 401 \d+\.\d ms$/),
    ]);
    expect(stdout).not.toMatch(/^\{/m);
    expect(stdout).not.toContain('\u001b[');
  });

  test('is in colour where that is asked for', async () => {
    expect(await printedAtEnd(await beyondMachine())).toContain('\u001b[');
  });

  test('is a line of JSON with LOG_FORMAT=json, as is all else that the process says, and no line with LOG_LEVEL=WARN', async () => {
    const failed = await runToEnd({ LOG_FORMAT: 'json', PORT: 'none' });
    expect(JSON.parse(failed.stderr)).toMatchObject({ level: 'ERROR', message: failed.problems[0] });
    const [json = '', quiet = ''] = [await printedAtEnd(await onLoopback()), await printedAtEnd(await withHosts())].map(
      (printed) => printed.trim().split('\n').at(-1),
    );
    const { stdout, stderr } = await (await onLoopback()).ended;
    const lines = `${stdout}${stderr}`
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'INFO', message: expect.stringContaining('serves http') }),
    );
    expect(JSON.parse(json)).toMatchObject({ route: 'GET /api/admin/environments', status: 200 });
    expect(quiet).toMatch(/^Try: curl/);
  });
});
