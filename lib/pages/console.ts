import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { HttpReply } from '../idempotency/receipt-items.ts';
import { sha256 } from '../values/sha256.ts';
import { consolePatches } from './console-patches.ts';
import { consoleStyle } from './console-style.ts';
import { noMailPage } from './error-page.ts';
import { htmlType, isForBrowser, pageReply, policySourceOf } from './page.ts';

/** File of the console as it is served. */
interface ConsoleFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Of what can be compressed, and what it is compressed once for. */
  readonly text?: string;
  readonly ready?: Record<string, never>;
  readonly bytes?: Buffer;
}

/** Console in a directory, whose file names are the only ones that can be requested. */
interface Console {
  readonly directory: string;
  readonly hasMail: boolean;
  readonly names: ReadonlySet<string>;
  readonly read: Map<string, Promise<ConsoleFile>>;
}

/** Request of a browser, as far as it decides on the reply. */
export interface Asked {
  readonly path: string;
  readonly accept: string | undefined;
  /** True if the service sends mails. */
  readonly hasMail: boolean;
}

const textTypes: ReadonlyMap<string, string> = new Map([
  ['.html', htmlType],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['', 'text/plain; charset=utf-8'],
]);

const binaryTypes: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.gif', 'image/gif'],
  ['.ico', 'image/vnd.microsoft.icon'],
  ['.woff2', 'font/woff2'],
]);

const page = 'index.html';

/**
 * Returns the content security policy of the page: it may run its own scripts and talk to this service. Its components
 * write inline styles.
 */
const policyFor = (importMap: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${policySourceOf(importMap)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Returns a file of the console by its name, and to browsers, for every other path, its one page, which routes by the path.
 * The console is Unleash's admin UI, whose page has placeholders for the settings of its server.
 * @param ofService tells whether a path begins like that of an endpoint, so that it is no page of the console.
 * @returns undefined for paths that are not the console's.
 */
export async function consoleReply(
  directory: string,
  { path, accept, hasMail }: Asked,
  ofService: () => Promise<boolean>,
): Promise<HttpReply | undefined> {
  const found = consoleIn(directory, hasMail);
  const name = path.slice(1);
  // Its form would say that a mail was sent.
  if (name === 'forgotten-password' && !hasMail && isForBrowser(accept)) return pageReply(404, noMailPage());
  if (found.names.has(name) && name !== page) return readOnce(found, name).then(toReply, noneIfRemoved);
  // What has an ending would be a file.
  const isFile = name !== page && /^[^/]+\.\w+$|^(static|fonts)\//.test(name);
  const isPage = !isFile && isForBrowser(accept) && !isOfMonitoring(path) && !(await ofService());
  return isPage ? readOnce(found, page).then(toReply, noneIfRemoved) : undefined;
}

/** Somebody may remove the console while it is served. */
function noneIfRemoved(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const consoles = new Map<string, Console>();

function consoleIn(directory: string, hasMail: boolean): Console {
  const id = `${directory} ${hasMail}`;
  let found = consoles.get(id);
  if (found === undefined) {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll(sep, '/'),
    );
    // A folder has no ending, as a licence has none.
    const files = names.filter((name) => typeOf(name) !== undefined && statSync(join(directory, name)).isFile());
    found = { directory, hasMail, names: new Set(files), read: new Map() };
    consoles.set(id, found);
  }
  return found;
}

const typeOf = (name: string) => textTypes.get(extname(name)) ?? binaryTypes.get(extname(name));

/** Tells whether Unleash, or servers in general, show metrics at a path: an operator who looks there must not see a page. */
function isOfMonitoring(path: string): boolean {
  return /^\/(metrics|internal-backstage)(\/|$)/i.test(path);
}

function readOnce(found: Console, name: string): Promise<ConsoleFile> {
  let reading = found.read.get(name);
  if (reading === undefined) {
    reading = name === page ? readPage(found) : readConsoleFile(found, name);
    found.read.set(name, reading);
    // The next request tries again.
    reading.catch(() => found.read.delete(name));
  }
  return reading;
}

async function readConsoleFile({ directory }: Console, name: string): Promise<ConsoleFile> {
  const bytes = await readFile(join(directory, name));
  // The names of static files change with what they hold.
  const headers = {
    'content-type': typeOf(name) ?? '',
    ...(name.startsWith('static/')
      ? { 'cache-control': 'public, max-age=31536000, immutable' }
      : { 'cache-control': 'public, max-age=86400', 'content-security-policy': "default-src 'none'" }),
  };
  if (binaryTypes.has(extname(name))) return { headers, bytes };
  const text = patchesOf(name).reduce((before, { from, to }) => before.replace(from, () => to), bytes.toString());
  return { headers, text, ready: {} };
}

function patchesOf(name: string) {
  const [, patches = []] = Object.entries(consolePatches).find(([beginning]) => name.startsWith(beginning)) ?? [];
  return patches;
}

/** Part of the addresses of patched scripts, which browsers keep for good: others get others. */
const patchVersion = sha256(JSON.stringify(consolePatches)).slice(0, 8);

/**
 * Reads the page, and fills in the settings of its server. The console lies at the root of its site and learns what is
 * switched on from the API. Its fonts lie beside it, since the site of Google that it names for them is not to learn who
 * opens it. An import map leads all scripts to the patched ones.
 */
async function readPage({ directory, hasMail, names }: Console): Promise<ConsoleFile> {
  const patched = [...names].filter((name) => patchesOf(name).length > 0);
  const addresses = patched.map((name) => [`/${name}`, `/${name}?v=${patchVersion}`] as const);
  const importMap = JSON.stringify({ imports: Object.fromEntries(addresses) });
  const html = (await readFile(join(directory, page), 'utf8'))
    .replaceAll(/<link\b[^>]*\bhref="https:\/\/fonts\.[^>]*>\s*/g, '')
    .replace('</head>', `<style>${consoleStyle(hasMail)}</style></head>`)
    .replaceAll('::uiFlags::', encodeURI('{}'))
    .replaceAll(/::(baseUriPath|cdnPrefix|faviconPrefix|unleashToken)::/g, '')
    .replace('<script', `<script type="importmap">${importMap}</script>\n<script`);
  const text = addresses.reduce((before, [from, to]) => before.replaceAll(`src="${from}"`, `src="${to}"`), html);
  const headers = {
    'content-type': htmlType,
    'cache-control': 'no-cache',
    etag: `"${sha256(text, 'base64url').slice(0, 22)}"`,
    'content-security-policy': policyFor(importMap),
    'referrer-policy': 'same-origin',
  };
  return { headers, text, ready: {} };
}

function toReply({ text = '', ...file }: ConsoleFile): HttpReply {
  return { status: 200, text, ...file };
}
