import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { HttpReply } from '../idempotency/receipt-items.ts';
import { sha256 } from '../values/sha256.ts';
import { consolePatches } from './console-patches.ts';
import { consoleStyle } from './console-style.ts';
import { noMailPage } from './error-page.ts';
import { htmlType, isForBrowser, pageReply, policySourceOf } from './page.ts';

/** A file of the console as it is served. */
interface ConsoleFile {
  readonly headers: Readonly<Record<string, string>>;
  /** The text of a compressible file, and the object for which its compressed form is cached. */
  readonly text?: string;
  readonly ready?: Record<string, never>;
  readonly bytes?: Buffer;
}

/** A console in a directory. Only the names of its files can be requested. */
interface Console {
  readonly directory: string;
  readonly hasMail: boolean;
  readonly names: ReadonlySet<string>;
  readonly cache: Map<string, Promise<ConsoleFile>>;
}

/** The parts of a browser's request that determine the reply. */
export interface ConsoleRequest {
  readonly path: string;
  readonly accept: string | undefined;
  /** True if the service can send mails. */
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
 * Returns the content security policy of the page: it may run its own scripts and call this service. Its components write inline
 * styles.
 */
const buildPolicy = (importMap: string) =>
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
 * Returns a file of the console by its name. For every other path, browsers get its one page, which does the routing. The console is
 * Unleash's admin UI, whose page has placeholders for the settings of its server.
 * @param isServicePath returns true if the path begins like that of an endpoint, so that it is not a page of the console.
 * @returns undefined for paths that do not belong to the console.
 */
export async function consoleReply(
  directory: string,
  { path, accept, hasMail }: ConsoleRequest,
  isServicePath: () => Promise<boolean>,
): Promise<HttpReply | undefined> {
  const console = consoleIn(directory, hasMail);
  const name = path.slice(1);
  // The console's form would claim that a mail was sent.
  if (name === 'forgotten-password' && !hasMail && isForBrowser(accept)) return pageReply(404, noMailPage());
  if (console.names.has(name) && name !== page) return readOnce(console, name).then(toReply, ignoreRemoved);
  // A name with an extension would be a file.
  const isFile = name !== page && /^[^/]+\.\w+$|^(static|fonts)\//.test(name);
  const isPage = !isFile && isForBrowser(accept) && !isMonitoringPath(path) && !(await isServicePath());
  return isPage ? readOnce(console, page).then(toReply, ignoreRemoved) : undefined;
}

/** Somebody may delete the console while it is served. */
function ignoreRemoved(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const consoles = new Map<string, Console>();

function consoleIn(directory: string, hasMail: boolean): Console {
  const id = `${directory} ${hasMail}`;
  let console = consoles.get(id);
  if (console === undefined) {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll(sep, '/'),
    );
    // Folders have no extension, but neither do licences.
    const files = names.filter((name) => typeOf(name) !== undefined && statSync(join(directory, name)).isFile());
    console = { directory, hasMail, names: new Set(files), cache: new Map() };
    consoles.set(id, console);
  }
  return console;
}

const typeOf = (name: string) => textTypes.get(extname(name)) ?? binaryTypes.get(extname(name));

/** Returns true for paths at which Unleash, or servers in general, have metrics. Operators must not get a page there. */
function isMonitoringPath(path: string): boolean {
  return /^\/(metrics|internal-backstage)(\/|$)/i.test(path);
}

function readOnce({ directory, hasMail, names, cache }: Console, name: string): Promise<ConsoleFile> {
  let reading = cache.get(name);
  if (reading === undefined) {
    reading = name === page ? readPage({ directory, hasMail, names }) : readConsoleFile({ directory }, name);
    cache.set(name, reading);
    // After an error, the next request tries again.
    reading.catch(() => cache.delete(name));
  }
  return reading;
}

async function readConsoleFile({ directory }: Pick<Console, 'directory'>, name: string): Promise<ConsoleFile> {
  const bytes = await readFile(join(directory, name));
  // The names of static files change with their content.
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
  const [, patches = []] = Object.entries(consolePatches).find(([prefix]) => name.startsWith(prefix)) ?? [];
  return patches;
}

/** A part of the addresses of patched scripts, which browsers cache forever. Other patches need other addresses. */
const patchVersion = sha256(JSON.stringify(consolePatches)).slice(0, 8);

/**
 * Reads the page, and fills in the settings of its server. The console is at the root of its site, and asks the API which features are
 * on. Its fonts are served from this site, so that Google, whose site the page names for them, does not learn who opens it. An import
 * map redirects scripts to the patched ones.
 */
async function readPage({ directory, hasMail, names }: Omit<Console, 'cache'>): Promise<ConsoleFile> {
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
    'content-security-policy': buildPolicy(importMap),
    'referrer-policy': 'same-origin',
  };
  return { headers, text, ready: {} };
}

function toReply({ text = '', ...file }: ConsoleFile): HttpReply {
  return { status: 200, text, ...file };
}
