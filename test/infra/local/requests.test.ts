import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { startRuntime } from './local-runtime.ts';

async function get(url: string, host?: string) {
  const headers = { authorization: insecureLocalToken, ...(host !== undefined && { host }) };
  const [answer] = await once(request(`${url}/api/admin/environments`, { headers }).end(), 'response');
  return { status: answer.statusCode as number, body: await text(answer) };
}

describe('a server on a loopback address', () => {
  test('refuses other host names, which a web page was loaded by, in the shape of every error', async () => {
    const { url } = await startRuntime();
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
    const { url } = await startRuntime({ ALLOWED_HOSTS: 'flags.example, Other.example' });
    expect((await get(url, 'flags.example:4242')).status).toBe(200);
    expect((await get(url, 'other.example')).status).toBe(200);
    expect((await get(url, 'third.example')).status).toBe(403);
  });

  test('serves all host names once it listens beyond this machine', async () => {
    const { url } = await startRuntime({ HOST: '0.0.0.0' });
    expect((await get(url, 'flags.example')).status).toBe(200);
  });
});

describe('each request', () => {
  test('is a short line where people read, without its query and without the token in its path, and no JSON', async () => {
    const runtime = await startRuntime({ LOG_FORMAT: 'text', LOG_LEVEL: '' });
    await get(runtime.url);
    await fetch(`${runtime.url}/nowhere?secret=1`);
    await fetch(`${runtime.url}/health`, { method: 'HEAD' });
    for (const folder of ['api-tokens', 'typing-slip']) {
      await fetch(`${runtime.url}/api/admin/${folder}/%2A:development.0123456789abcdef`, { method: 'DELETE' });
    }
    await sleep(50);
    runtime.signal('SIGTERM');
    const { stdout } = await runtime.ended;
    const lines = stdout.trim().split('\n').slice(-5);
    expect(lines).toEqual([
      expect.stringMatching(/^GET \/api\/admin\/environments 200 \d+\.\d ms$/),
      expect.stringMatching(/^GET \/nowhere 404 \d+\.\d ms$/),
      expect.stringMatching(/^HEAD \/health 200 \d+\.\d ms$/),
      expect.stringMatching(/^DELETE \/api\/admin\/api-tokens\/\*\*\* 401 \d+\.\d ms$/),
      expect.stringMatching(/^DELETE \/api\/admin\/typing-slip\/\*\*\* 401 \d+\.\d ms$/),
    ]);
    expect(stdout).not.toMatch(/^\{/m);
  });

  test('is in colour where that is asked for, and never with NO_COLOR', async () => {
    const colours = [];
    for (const variables of [{ FORCE_COLOR: '1' }, { NO_COLOR: '1' }]) {
      const runtime = await startRuntime({ LOG_FORMAT: 'text', LOG_LEVEL: '', ...variables });
      await get(runtime.url);
      runtime.signal('SIGTERM');
      const { stdout } = await runtime.ended;
      colours.push(stdout.includes('\u001b['));
    }
    expect(colours).toEqual([true, false]);
  });

  test('is a line of JSON with LOG_FORMAT=json, and no line with LOG_LEVEL=WARN', async () => {
    const [json, quiet] = await Promise.all([
      startRuntime({ LOG_FORMAT: 'json', LOG_LEVEL: '' }),
      startRuntime({ LOG_FORMAT: 'text', LOG_LEVEL: 'WARN' }),
    ]);
    const outputs = [];
    for (const runtime of [json, quiet]) {
      await get(runtime.url);
      runtime.signal('SIGTERM');
      outputs.push((await runtime.ended).stdout.trim().split('\n').at(-1) ?? '');
    }
    expect(JSON.parse(outputs[0] ?? '')).toMatchObject({ route: 'GET /api/admin/environments', status: 200 });
    expect(outputs[1]).toMatch(/^Try: curl/);
  });
});
