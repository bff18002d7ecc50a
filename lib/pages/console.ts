import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { KeptReply } from '../idempotency/kept-items.ts';
import { sha256 } from '../values/sha256.ts';
import { consoleStyle } from './console-style.ts';
import { htmlType } from './page.ts';

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
  readonly names: ReadonlySet<string>;
  readonly read: Map<string, Promise<ConsoleFile>>;
}

/** Request of a browser, as far as it decides on the reply. */
export interface Asked {
  readonly path: string;
  readonly accept: string | undefined;
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
 * Content security policy of the page: it may run its own scripts and talk to this service. Its components write inline
 * styles.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
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
  { path, accept }: Asked,
  ofService: () => Promise<boolean>,
): Promise<KeptReply | undefined> {
  const found = consoleIn(directory);
  const name = path.slice(1);
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

function consoleIn(directory: string): Console {
  let found = consoles.get(directory);
  if (found === undefined) {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll(sep, '/'),
    );
    // A folder has no ending, as a licence has none.
    const files = names.filter((name) => typeOf(name) !== undefined && statSync(join(directory, name)).isFile());
    found = { directory, names: new Set(files), read: new Map() };
    consoles.set(directory, found);
  }
  return found;
}

const typeOf = (name: string) => textTypes.get(extname(name)) ?? binaryTypes.get(extname(name));

/** Browsers name HTML; scripts, probes and scrapers, most of which take anything, must learn that there is nothing. */
function isForBrowser(accept = ''): boolean {
  return /text\/html/i.test(accept);
}

/** Tells whether Unleash, or servers in general, show metrics at a path: an operator who looks there must not see a page. */
function isOfMonitoring(path: string): boolean {
  return /^\/(metrics|internal-backstage)(\/|$)/i.test(path);
}

function readOnce(found: Console, name: string): Promise<ConsoleFile> {
  let reading = found.read.get(name);
  if (reading === undefined) {
    reading = readConsoleFile(found.directory, name);
    found.read.set(name, reading);
    // The next request tries again.
    reading.catch(() => found.read.delete(name));
  }
  return reading;
}

async function readConsoleFile(directory: string, name: string): Promise<ConsoleFile> {
  const bytes = await readFile(join(directory, name));
  const type = { 'content-type': typeOf(name) ?? '' };
  if (binaryTypes.has(extname(name))) return { headers: { ...type, ...headersOf(name) }, bytes };
  const text = name === page ? filledIn(bytes.toString()) : bytes.toString();
  return { headers: { ...type, ...headersOf(name, text) }, text, ready: {} };
}

function headersOf(name: string, text = ''): Record<string, string> {
  // Their names change with what they hold.
  if (name.startsWith('static/')) return { 'cache-control': 'public, max-age=31536000, immutable' };
  if (name !== page)
    return { 'cache-control': 'public, max-age=86400', 'content-security-policy': "default-src 'none'" };
  return {
    'cache-control': 'no-cache',
    etag: `"${sha256(text, 'base64url').slice(0, 22)}"`,
    'content-security-policy': policy,
    'referrer-policy': 'same-origin',
  };
}

/**
 * Returns the page with the settings of its server filled in. The console lies at the root of its site and learns what
 * is switched on from the API. Its fonts lie beside it, since the site of Google that it names for them is not to learn
 * who opens it.
 */
function filledIn(html: string): string {
  return html
    .replaceAll(/<link\b[^>]*\bhref="https:\/\/fonts\.[^>]*>\s*/g, '')
    .replace('</head>', `<style>${consoleStyle}</style></head>`)
    .replaceAll('::uiFlags::', encodeURI('{}'))
    .replaceAll(/::(baseUriPath|cdnPrefix|faviconPrefix|unleashToken)::/g, '');
}

function toReply({ text = '', ...file }: ConsoleFile): KeptReply {
  return { status: 200, text, ...file };
}
