import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { notFound } from '../../../functions/service/not-found.ts';
import { unleashPatches } from '../../../lib/pages/unleash-patches.ts';
import about from '../../../package.json' with { type: 'json' };
import { type GatewayRequest, invoke } from '../../harness/gateway.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';

const index = `<!DOCTYPE html>
<link rel="icon" href="::faviconPrefix::/favicon.ico" />
<meta name="baseUriPath" content="::baseUriPath::" /><meta name="cdnPrefix" content="::cdnPrefix::" />
<meta name="uiFlags" content="::uiFlags::" /><meta name="unleashToken" content="::unleashToken::" />
<link rel="preconnect" href="https://fonts.gstatic.com" crossorigin />
<link
  href="https://fonts.googleapis.com/css2?family=Sen:wght@400"
  rel="stylesheet"
/>
<script type="module" src="/static/index-1a2b.js"></script></head>`;
const [{ from: place = '', to: replacement = '' } = {}] = unleashPatches['static/index-'] ?? [];
const script = `console.log('${'x'.repeat(10_000)}', (host = ${place}));`;
const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xfe]);

let parent: string;
let directory: string;

let service: Service;

beforeAll(async () => {
  service = await freshService();
  parent = mkdtempSync(join(tmpdir(), 'flagstaff-console-'));
  directory = join(parent, 'console');
  mkdirSync(join(directory, 'static'), { recursive: true });
  writeFileSync(join(directory, 'index.html'), index);
  writeFileSync(join(directory, 'static/index-1a2b.js'), script);
  writeFileSync(join(directory, 'logo.png'), picture);
  writeFileSync(join(directory, 'icon.svg'), '<svg/>');
  mkdirSync(join(directory, 'fonts'));
  writeFileSync(join(directory, 'fonts/sen-latin.woff2'), picture);
  writeFileSync(join(directory, 'LICENSE'), 'Apache License');
  writeFileSync(join(directory, 'notes.secret'), 'not of the console');
  writeFileSync(join(parent, 'beside.js'), 'out of reach');
});
afterAll(() => rmSync(parent, { recursive: true }));
beforeEach(() => {
  vi.stubEnv('CONSOLE', 'unleash');
  vi.stubEnv('CONSOLE_DIRECTORY', directory);
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-encoding': 'gzip, br' };
const ask = async (target: string, request: Partial<GatewayRequest> = {}) =>
  (await invoke({ method: 'GET', target, headers: browser, ...request })).answer;

describe("Unleash's admin UI", () => {
  test.each([
    '/',
    '/login',
    '/projects/default/features/my.flag',
    '/projects/default/features/a%20b',
    '/admin/users',
    '/new-user?invite=x',
    '/index.html',
    '/static',
    '/fonts',
  ])('answers %s with its one page, in which the settings of a server are filled in', async (target) => {
    const { status, headers, text } = await ask(target);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(text).toMatch(/<script type="module" src="\/static\/index-1a2b\.js\?v=\w{8}"><\/script>/);
    expect(text).toContain('href="/favicon.ico"');
    expect(text).toContain('<meta name="uiFlags" content="%7B%7D" />');
    expect(text).not.toContain('::');
  });

  test('lets its page run and load nothing but its own, and be shown in no frame', async () => {
    const { headers } = await ask('/login');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
  });

  test('has its page asked for each time, and sent when it is another one', async () => {
    const { headers } = await ask('/login');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await ask('/projects', { headers: { ...browser, 'if-none-match': String(headers.etag) } });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
    const { 'content-security-policy': policy } = again.headers;
    expect(policy).toBe(headers['content-security-policy']);
  });

  test('has browsers keep its files, whose names change with what they hold, compressed where that helps', async () => {
    const file = await ask('/static/index-1a2b.js');
    expect(file.text).toContain('x'.repeat(10_000));
    expect(file.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const plain = await ask('/static/index-1a2b.js', { headers: {} });
    expect(plain).toMatchObject({ status: 200, text: file.text });
  });

  test('has scripts with places of our own, which all other scripts find at an address that changes with them', async () => {
    const { text, headers } = await ask('/login');
    const [, map = ''] = /<script type="importmap">(.*)<\/script>/.exec(text) ?? [];
    const address = JSON.parse(map).imports['/static/index-1a2b.js'];
    expect(text).toContain(`<script type="module" src="${address}"></script>`);
    expect(text.indexOf(map)).toBeLessThan(text.indexOf(`src="${address}"`));
    const hash = createHash('sha256').update(map).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    const patched = await ask(address);
    expect(patched.text).toBe(script.replace(place, () => replacement));
    expect(patched.headers['cache-control']).toContain('immutable');
  });

  test('has its page load the fonts that lie beside it, in place of those of another site', async () => {
    const { text } = await ask('/login');
    expect(text).not.toMatch(/<[^>]*https:|url\('https:/);
    const [, font = ''] = /url\('(\/fonts\/sen-latin\.woff2)'\)/.exec(text) ?? [];
    expect(await ask(font)).toMatchObject({ status: 200, headers: { 'content-type': 'font/woff2' } });
  });

  test('shows in its page no link to what is not here', async () => {
    const { text } = await ask('/login');
    const [, hidden = ''] = /\}\s*([^{}]*)\{ display: none !important; \}/.exec(text) ?? [];
    expect(hidden).toContain('a[href^="/admin/enterprise-edge"]');
  });

  test('sends a picture byte by byte', async () => {
    const { route, requestId } = await invoke({ method: 'GET', target: '/logo.png' });
    const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => 1_000 } as never;
    const event = { rawPath: route.rawPath, headers: {}, requestContext: { http: { method: 'GET' } } } as never;
    const { headers, body = '', isBase64Encoded } = await notFound(event, context);
    expect({ type: headers?.['content-type'], isBase64Encoded }).toEqual({ type: 'image/png', isBase64Encoded: true });
    expect(Buffer.from(body, 'base64')).toEqual(picture);
  });

  test('answers browsers that ask for an icon by themselves', async () => {
    const { status, headers, text } = await ask('/favicon.ico', { headers: { accept: 'image/avif,*/*;q=0.8' } });
    expect({ status, type: headers['content-type'], text }).toEqual({
      status: 200,
      type: 'image/svg+xml',
      text: '<svg/>',
    });
  });

  test('answers HEAD as it answers GET', async () => {
    const { status, headers, text } = await ask('/logo.png', { method: 'HEAD' });
    expect({ status, length: headers['content-length'], text }).toEqual({
      status: 200,
      length: String(picture.length),
      text: '',
    });
  });

  test('comes with its licence', async () => {
    expect(await ask('/LICENSE')).toMatchObject({ status: 200, text: 'Apache License' });
  });

  test.each([
    '/static/nothing.js',
    '/fonts/nothing.woff2',
    '/static/',
    '/static/..%2f..%2fbeside.js',
    '/nothing.png',
    '/notes.secret',
    '/docs/nothing',
    '/health/nothing',
  ])('has nothing at %s', async (target) => {
    expect((await ask(target)).status).toBe(404);
  });

  test.each(['/../beside.js', '/..%2fbeside.js', '/%2e%2e/beside.js', '/..%5cbeside.js'])(
    'does not read what lies beside it by %s',
    async (target) => {
      expect((await ask(target)).text).not.toContain('out of reach');
    },
  );

  test('leaves what is below /api to the API: 401 without a token', async () => {
    expect((await ask('/api/admin/nothing')).status).toBe(401);
    expect((await ask('/api/nothing')).status).toBe(401);
  });

  test('leaves the paths of endpoints to these, whatever the method', async () => {
    const roots = new Set(Object.values(registry).map(({ declaration }) => declaration.path.split('/')[1]));
    for (const root of roots) {
      if (root === '') continue;
      expect((await ask(`/${root}/there-is/no-such/path/at-all`)).status, root).toBeGreaterThanOrEqual(400);
    }
    expect((await ask('/health', { method: 'DELETE' })).status).toBe(405);
    expect((await ask('/login', { method: 'POST', body: {} })).status).toBe(404);
  });

  test('does not answer a script that asks for JSON with a page', async () => {
    const { status, body } = await ask('/projects', { headers: { accept: 'application/json' } });
    expect({ status, name: body.name }).toEqual({ status: 404, name: 'NotFoundError' });
  });

  test('answers no program that probes for a path, whatever that path is', async () => {
    const prometheus = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';
    for (const headers of [{ accept: prometheus }, { accept: '*/*' }, {}]) {
      expect((await ask('/healthz', { headers })).status, JSON.stringify(headers)).toBe(404);
    }
  });

  test.each(['/metrics', '/internal-backstage/prometheus', '/internal-backstage/health'])(
    'leaves %s, where other servers show metrics, to nobody, not even in a browser',
    async (target) => {
      expect((await ask(target)).status).toBe(404);
    },
  );
});

test('A console whose folder is removed while it is served is a page that is not found', async () => {
  const removed = join(parent, 'removed');
  mkdirSync(removed);
  writeFileSync(join(removed, 'index.html'), index);
  writeFileSync(join(removed, 'logo.png'), picture);
  vi.stubEnv('CONSOLE_DIRECTORY', removed);
  expect(await ask('/logo.png')).toMatchObject({ status: 200 });
  rmSync(removed, { recursive: true });
  expect(await ask('/login')).toMatchObject({ status: 404 });
});

describe('A path that there is not', () => {
  test('is a page for a person at a browser, with the id of the request, and JSON for everybody else', async () => {
    for (const path of ['/docs/nothing', '/health/nothing', '/nothing.png']) {
      const { status, headers, text } = await ask(path);
      expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
      expect(text).toContain('There is no ');
      expect(text).toContain(`<code>${headers['x-request-id']}</code>`);
    }
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9']) {
      const { body } = await ask('/docs/nothing', { headers: { accept } });
      expect(body).toMatchObject({ name: 'NotFoundError', id: expect.any(String) });
    }
    const admin = { ...browser, authorization: service.adminToken };
    for (const path of ['/api/admin/nothing', '/api', '/ofrep/v1/nothing']) {
      const { headers } = await ask(path, { headers: admin });
      expect(headers['content-type'], path).toBe('application/json; charset=utf-8');
    }
  });

  test('is shown as text, whatever it is, on a page that runs no script', async () => {
    for (const path of ['/docs/<script>alert(1)', '/health/%3Cimg src=x onerror=alert(1)%3E', '/docs/"><b>x']) {
      const { status, headers, text } = await ask(path);
      expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
      expect(text).not.toMatch(/<(script|img|b)\b/);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("script-src 'none'");
    }
  });
});

describe('Where no mail is sent', () => {
  const link = 'a[href="/forgotten-password"]';

  test('the console offers no link by mail to choose another password, and says whom to ask instead', async () => {
    vi.stubEnv('EMAIL_SENDER', '');
    expect((await ask('/login')).text).toContain(link);
    const { status, text } = await ask('/forgotten-password');
    expect({ status, says: /Ask an administrator/.test(text) }).toEqual({ status: 404, says: true });
  });

  test('it does so where it is', async () => {
    vi.stubEnv('EMAIL_SENDER', 'flags@example.com');
    expect((await ask('/login')).text).not.toContain(link);
    expect((await ask('/forgotten-password')).text).toContain('src="/static/index-1a2b.js');
  });
});

describe('The console', () => {
  let built: string;
  beforeAll(async () => {
    built = join(parent, 'built');
    mkdirSync(join(built, 'static'), { recursive: true });
    writeFileSync(
      join(built, 'index.html'),
      '<!doctype html><script type="module" src="/static/console-1A.js"></script>',
    );
    writeFileSync(join(built, 'static/console-1A.js'), script);
    writeFileSync(join(built, 'inputs.json'), '[]');
  });
  beforeEach(() => {
    vi.stubEnv('CONSOLE', 'flagstaff');
    vi.stubEnv('CONSOLE_DIRECTORY', built);
  });

  test.each(['/', '/login', '/now', '/projects/default/features/my.flag', '/new-user?token=x', '/forgotten-password'])(
    'answers %s with its one page, which runs and loads nothing but its own, and makes no HTML of text',
    async (target) => {
      const { status, headers, text } = await ask(target);
      expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('/static/console-1A.js') });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  test.each(['br', 'gzip, br', 'gzip', 'identity', 'br;q=0, gzip'])(
    'sends its scripts as the browser accepts them: %s',
    async (encoding) => {
      const { headers, text } = await ask('/static/console-1A.js', { headers: { 'accept-encoding': encoding } });
      const [sent] = encoding === 'gzip, br' ? ['br'] : [encoding.split(', ').at(-1)];
      expect(text).toBe(script);
      expect(headers['content-encoding']).toBe(sent === 'identity' ? undefined : sent);
      expect(headers['cache-control']).toContain('immutable');
    },
  );

  test('is not sent again when the browser has it', async () => {
    const { headers } = await ask('/now');
    const again = await ask('/reviews', { headers: { ...browser, 'if-none-match': String(headers.etag) } });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
  });

  test('is shown at the root to those who name no type, such as checks of load balancers', async () => {
    expect((await ask('/', { headers: {} })).status).toBe(200);
    expect((await ask('/now', { headers: {} })).status).toBe(404);
  });

  test('does not serve the list of its sources', async () => {
    expect((await ask('/inputs.json')).status).toBe(404);
  });

  test('that was built again is another one, without a restart', async () => {
    await ask('/now');
    writeFileSync(join(built, 'index.html'), 'another build');
    utimesSync(join(built, 'index.html'), new Date(), new Date(Date.now() + 5_000));
    writeFileSync(join(built, 'static/console-2B.js'), 'more');
    expect((await ask('/now')).text).toBe('another build');
    expect((await ask('/static/console-2B.js')).text).toBe('more');
  });
});

describe('Without a console', () => {
  test.each(['/login', '/static/index-1a2b.js', '/LICENSE'])('%s does not exist', async (target) => {
    vi.stubEnv('CONSOLE', 'off');
    vi.stubEnv('CONSOLE_DIRECTORY', '');
    expect((await ask(target)).status).toBe(404);
  });

  test('the root says what this is, in its version, and leads to what there is', async () => {
    vi.stubEnv('CONSOLE', 'off');
    const { status, headers, text } = await ask('/', { headers: {} });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(text).toContain('<h1>Flagstaff</h1>');
    expect(text).toContain(`Version ${about.version}`);
    expect(text).toContain('<a href="/docs">');
    const { 'content-security-policy': policy } = headers;
    const [, style = ''] = text.match(/<style>(.*)<\/style>/s) ?? [];
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("script-src 'none'");
    expect(text).not.toMatch(/<script|style="|\son\w+=/);
  });

  test.each([
    ['off', '', 'CONSOLE=flagstaff'],
    ['unleash', '', 'npm run unleash-console'],
    ['flagstaff', '/not-built', 'npm run bundle'],
  ])('a page says in a browser how to get one, where it is %s', async (choice, folder, advice) => {
    vi.stubEnv('CONSOLE', choice);
    vi.stubEnv('CONSOLE_DIRECTORY', folder);
    for (const target of ['/login', '/new-user?token=x', '/reset-password', '/projects/default/features/checkout']) {
      const { headers, text } = await ask(target);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).toContain(advice);
      const script = await ask(target, { headers: { accept: 'application/json' } });
      expect(script).toMatchObject({ status: 404, body: { name: 'NotFoundError' } });
    }
  });
});

describe('Where a gateway has found no endpoint because of slashes or capitals,', () => {
  /** Calls the function as a gateway does, which matches to the letter. */
  async function sent(method: string, rawPath: string, headers: object = {}, rawQueryString = '') {
    const event = { rawPath, rawQueryString, headers, requestContext: { http: { method, path: rawPath } } };
    const context = { awsRequestId: 'sent', getRemainingTimeInMillis: () => 10_000 };
    const { statusCode, headers: answered = {} } = await notFound(event as never, context as never);
    return { status: statusCode, location: answered.location, allowsOrigin: answered['access-control-allow-origin'] };
  }

  test.each([
    ['GET', '/Health//', 'a=%2F', '/health?a=%2F'],
    ['POST', '//auth/simple/login/', '', '/auth/simple/login'],
    ['HEAD', '/HEALTH', '', '/health'],
  ])('it sends %s %s on', async (method, path, query, location) => {
    expect(await sent(method, path, {}, query)).toMatchObject({ status: 308, location });
  });

  test('it redirects any caller with a token, and scripts of other sites that may ask', async () => {
    const world = new World(service);
    const admin = { authorization: service.adminToken };
    const path = '/api//admin/Projects/a b/overview/';
    expect(await sent('GET', path, admin)).toMatchObject({
      status: 308,
      location: '/api/admin/projects/a%20b/overview',
    });
    expect(await sent('GET', path)).toMatchObject({ status: 401, location: undefined });
    const frontend = { authorization: await world.sdkToken('frontend'), origin: 'https://shop.example' };
    const found = await sent('GET', '//api/frontend/', frontend);
    expect(found).toEqual({ status: 308, location: '/api/frontend', allowsOrigin: '*' });
    const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
    expect(await sent('OPTIONS', '//api/frontend/', preflight)).toMatchObject({ status: 204, allowsOrigin: '*' });
  });

  test.each([
    '//evil.example',
    '//evil.example/health',
    '/\\evil.example',
    '/health/..//evil.example',
    '/%2F/evil.example',
  ])('it sends nobody to another host: %s', async (path) => {
    expect((await sent('GET', path)).location).toBeUndefined();
  });

  test('it sends nobody on who is there', async () => {
    for (const { declaration } of Object.values(registry)) {
      const headers = { authorization: service.adminToken };
      const { location } = await sent(declaration.method, declaration.path.replaceAll(/\{\w+\}/g, '1'), headers);
      expect(location, declaration.path).toBeUndefined();
      expect(declaration.path, 'A redirect begins with a word.').toMatch(/^\/(?!\{)/);
    }
  });
});

test('A path without a name at its end is a 404, even where what stands before it takes other methods', async () => {
  for (const [method, target] of [
    ['POST', '/api/admin/archive/revive/'],
    ['DELETE', '/api/admin/addons/'],
    ['DELETE', '/health/'],
  ] as const) {
    const authorization = service.adminToken;
    expect(await ask(target, { method, headers: { authorization } }), target).toMatchObject({
      status: 404,
      body: { name: 'NotFoundError' },
    });
    expect((await ask(target.slice(0, -1), { method, headers: { authorization } })).status).toBe(405);
  }
});

test('What pages may not ask for is refused with 405, as on Unleash, and only with a token', async () => {
  const authorization = await new World(service).sdkToken('frontend');
  for (const target of [
    ...['/api/frontend/client/features', '//api/frontend/client/features/'],
    ...['/api/frontend/health', '/api/frontend/internal-backstage/prometheus'],
  ]) {
    const answer = await ask(target, { headers: { authorization } });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'OPTIONS' }, body: { name: 'MethodNotAllowed' } });
    expect((await ask(target, { headers: {} })).status).toBe(401);
  }
});
