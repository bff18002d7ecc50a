import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fillPath } from '../../../../lib/console/data/address.ts';
import { clearCache, loadAddress, patch, peek, reload } from '../../../../lib/console/data/cache.ts';
import { isConnected, Refusal, sendRequest, signedOut } from '../../../../lib/console/data/client.ts';
import { forgetOtherReader } from '../../../../lib/console/reader/follow-reader.ts';
import { mayIn } from '../../../../lib/console/reader/start.ts';
import type { ConsoleStart } from '../../../../lib/screens/start-schema.ts';

const path = '/api/admin/things';
const answers: (() => Response | Promise<Response>)[] = [];
const sent: { readonly url: string; readonly init: RequestInit | undefined }[] = [];

beforeEach(() => {
  clearCache();
  answers.length = 0;
  sent.length = 0;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    sent.push({ url, init });
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError('fetch failed');
    return answer();
  });
});

const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(body, init);

describe('The cache of answers', () => {
  test('revalidates an old answer by its ETag, and keeps it after a 304', async () => {
    answers.push(json([1], { headers: { etag: '"a"' } }), () => new Response(null, { status: 304 }));
    await loadAddress(path);
    await loadAddress(path);
    expect(sent).toHaveLength(1);
    await reload(path);
    expect(sent.map(({ init }) => new Headers(init?.headers).get('if-none-match'))).toEqual([null, '"a"']);
    expect(peek(path)).toEqual({ value: [1], etag: '"a"', problem: undefined });
  });

  test('keeps the last answer when a request fails, and says why', async () => {
    answers.push(json([1]), json({ name: 'Failure', message: 'No.', id: 'r-1' }, { status: 500 }), json([2]));
    await loadAddress(path);
    await reload(path);
    expect(peek(path)).toMatchObject({ value: [1], problem: { status: 500, message: 'No.', requestId: 'r-1' } });
    await loadAddress(path);
    expect(peek(path)).toMatchObject({ value: [2], problem: undefined });
  });

  test.each([403, 404])('forgets an answer after a %d', async (status) => {
    answers.push(json([1]), json({ message: 'No.' }, { status }));
    await loadAddress(path);
    await reload(path);
    expect(peek(path)).toMatchObject({ value: undefined, problem: { status } });
  });

  test('does not replace a change of the page by an answer from before it, and takes a failed change back', async () => {
    answers.push(json([1]));
    await loadAddress(path);
    const late = Promise.withResolvers<Response>();
    answers.push(() => late.promise);
    const reading = loadAddress(path, 0);
    const takeBack = patch<number[]>(path, (list) => [...list, 2]);
    late.resolve(Response.json([1]));
    await reading;
    expect(peek(path).value).toEqual([1, 2]);
    takeBack();
    expect(peek(path).value).toEqual([1]);
  });
});

describe('A change of the reader', () => {
  const storage = new Map<string, string>();
  beforeEach(() => {
    storage.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
      clear: () => storage.clear(),
    });
  });

  test('leaves no drafts and no answers of the last one', async () => {
    answers.push(json([1]));
    await loadAddress(path);
    expect(forgetOtherReader(1)).toBe(false);
    storage.set('draft', '{}');
    expect(forgetOtherReader(1)).toBe(false);
    expect(storage.has('draft')).toBe(true);
    expect(forgetOtherReader(2)).toBe(true);
    expect([...storage]).toEqual([['reader', '2']]);
    expect(peek(path).value).toBeUndefined();
  });
});

describe('A request of the console', () => {
  test('that gets no answer says so, and the page shows that it is not connected', async () => {
    await expect(sendRequest('GET', path)).rejects.toMatchObject({
      status: 0,
      message: 'The service does not answer.',
    });
    expect(isConnected.value).toBe(false);
  });

  test('that is refused lists all problems and the wait, whatever the body is', async () => {
    const details = [{ message: 'Too long.', path: 'name' }];
    answers.push(json({ message: 'Wrong.', details }, { status: 429, headers: { 'retry-after': '7' } }));
    await expect(sendRequest('POST', path, { body: {} })).rejects.toMatchObject({ details, retryAfter: 7 });
    answers.push(() => new Response('<html>', { status: 502 }));
    await expect(sendRequest('GET', path)).rejects.toBeInstanceOf(Refusal);
    expect(isConnected.value).toBe(true);
  });

  test('that meets the end of a session shows the ways to sign in', async () => {
    answers.push(json({ type: 'password', options: [] }, { status: 401 }));
    await expect(sendRequest('GET', path)).rejects.toMatchObject({ status: 401 });
    expect(signedOut.value).toEqual({ type: 'password', options: [] });
  });

  test('has an address with escaped names and without undefined values', () => {
    const query = { q: 'a b', none: undefined, tag: ['x', 'y'] };
    expect(fillPath('/api/{project}/things', { project: 'a/b' }, query)).toBe('/api/a%2Fb/things?q=a+b&tag=x&tag=y');
    expect(fillPath('/api/{project}/things', { project: '..' })).toBe('/api/%252E%252E/things');
  });
});

describe('A right of the reader', () => {
  const start = (...permissions: ConsoleStart['permissions']) => ({ permissions }) as ConsoleStart;

  test('holds for its project and environment, or for all', () => {
    const reader = start(
      { permission: 'UPDATE_FEATURE', project: 'shop' },
      { permission: 'CREATE_FEATURE', project: '*' },
    );
    expect(mayIn(reader, 'UPDATE_FEATURE', 'shop')).toBe(true);
    expect(mayIn(reader, 'UPDATE_FEATURE', 'default')).toBe(false);
    expect(mayIn(reader, 'CREATE_FEATURE', 'default', 'production')).toBe(true);
    const operator = start({ permission: 'UPDATE_FEATURE_ENVIRONMENT', project: 'shop', environment: 'development' });
    expect(mayIn(operator, 'UPDATE_FEATURE_ENVIRONMENT', 'shop', 'production')).toBe(false);
    expect(mayIn(start({ permission: 'ADMIN' }), 'DELETE_PROJECT', 'shop')).toBe(true);
    expect(mayIn(undefined, 'DELETE_PROJECT', 'shop')).toBe(false);
  });
});
