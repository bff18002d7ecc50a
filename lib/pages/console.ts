import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { HttpReply } from '../idempotency/record-items.ts';
import { sha256 } from '../values/sha256.ts';
import { htmlType, isForBrowser, type Page, pageReply } from './page.ts';

interface Circumstances {
  /** The names of all files. */
  readonly names: ReadonlySet<string>;
  /** True if the service can send mails. */
  readonly hasMail: boolean;
}

/** The differences between the consoles. */
export interface ConsoleKind {
  /** Fills in the page of the folder, and returns it with its content security policy. */
  completePage(html: string, circumstances: Circumstances): { readonly html: string; readonly policy: string };
  /** Changes the text of a file. */
  completeFile?(name: string, text: string): string;
  /** Returns a page of ours that replaces one of the console's. */
  pageInstead?(name: string, circumstances: Pick<Circumstances, 'hasMail'>): Page | undefined;
}

/** A file of a console as it is served. */
interface ConsoleFile {
  readonly headers: Readonly<Record<string, string>>;
  /** The text of a compressible file, and the object for which its compressed form is cached. */
  readonly text?: string;
  readonly ready?: Record<string, never>;
  readonly bytes?: Buffer;
  /** The compressed text, after the first request that accepts it. */
  brotli?: Promise<Buffer>;
}

/** A console in a directory. Only the names of its files can be requested. */
interface Console extends Circumstances {
  readonly kind: ConsoleKind;
  readonly directory: string;
  readonly cache: Map<string, Promise<ConsoleFile>>;
}

/** The parts of a browser's request that determine the reply, and the console that is served. */
export interface ConsoleRequest {
  readonly kind: ConsoleKind;
  readonly directory: string;
  readonly path: string;
  readonly accept: string | undefined;
  readonly acceptEncoding?: string | undefined;
  readonly hasMail: boolean;
}

const textTypes: ReadonlyMap<string, string> = new Map([
  ['.html', htmlType],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
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
 * Returns a file of the console by its name. For every other path, browsers get its one page, which does the routing.
 * @param isServicePath returns true if the path begins like that of an endpoint, so that it is not a page of the console.
 * @returns undefined for paths that do not belong to the console, and if its folder does not exist.
 */
export async function consoleReply(
  { kind, directory, path, accept, acceptEncoding, hasMail }: ConsoleRequest,
  isServicePath: () => Promise<boolean>,
): Promise<HttpReply | undefined> {
  // Browsers ask for it by themselves, such as beside an answer of the API that somebody opens.
  const name = path === '/favicon.ico' ? 'icon.svg' : path.slice(1);
  // Checks of load balancers ask for the root.
  const isBrowser = isForBrowser(accept) || path === '/';
  const instead = isBrowser ? kind.pageInstead?.(name, { hasMail }) : undefined;
  if (instead !== undefined) return pageReply(404, instead);
  const console = consoleIn(directory, kind, hasMail);
  if (console === undefined) return undefined;
  const send = (file: string) =>
    readOnce(console, file).then((read) => toReply(read, acceptsBrotli(acceptEncoding)), ignoreRemoved);
  if (console.names.has(name) && name !== page) return send(name);
  // A name with an extension would be a file.
  const isFile = name !== page && /^[^/]+\.\w+$|^(static|fonts)\//.test(name);
  const isPage = !isFile && isBrowser && !isMonitoringPath(path) && !(await isServicePath());
  return isPage ? send(page) : undefined;
}

/** Somebody may delete the console while it is served. */
function ignoreRemoved(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const consoles = new Map<string, Console>();

/** Returns the console in a folder. A new build, which replaces the folder, is another console. */
function consoleIn(directory: string, kind: ConsoleKind, hasMail: boolean): Console | undefined {
  const builtAt = statSync(join(directory, page), { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return undefined;
  const id = `${directory} ${builtAt} ${hasMail}`;
  let console = consoles.get(id);
  if (console === undefined) {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll(sep, '/'),
    );
    // Folders have no extension, but neither do licences.
    const files = names.filter((name) => typeOf(name) !== undefined && statSync(join(directory, name)).isFile());
    console = { kind, directory, hasMail, names: new Set(files), cache: new Map() };
    consoles.clear();
    consoles.set(id, console);
  }
  return console;
}

const typeOf = (name: string) => textTypes.get(extname(name)) ?? binaryTypes.get(extname(name));

/** Returns true for paths at which Unleash, or servers in general, have metrics. Operators must not get a page there. */
function isMonitoringPath(path: string): boolean {
  return /^\/(metrics|internal-backstage)(\/|$)/i.test(path);
}

function readOnce(console: Console, name: string): Promise<ConsoleFile> {
  const { cache } = console;
  let reading = cache.get(name);
  if (reading === undefined) {
    reading = name === page ? readPage(console) : readConsoleFile(console, name);
    cache.set(name, reading);
    // After an error, the next request tries again.
    reading.catch(() => cache.delete(name));
  }
  return reading;
}

async function readConsoleFile({ kind, directory }: Console, name: string): Promise<ConsoleFile> {
  const bytes = await readFile(join(directory, name));
  // The names of static files change with their content.
  const headers = {
    'content-type': typeOf(name) ?? '',
    ...(name.startsWith('static/')
      ? { 'cache-control': 'public, max-age=31536000, immutable' }
      : { 'cache-control': 'public, max-age=86400', 'content-security-policy': "default-src 'none'" }),
  };
  if (binaryTypes.has(extname(name))) return { headers, bytes };
  const text = bytes.toString();
  return { headers, text: kind.completeFile?.(name, text) ?? text, ready: {} };
}

async function readPage({ kind, directory, ...circumstances }: Console): Promise<ConsoleFile> {
  const { html, policy } = kind.completePage(await readFile(join(directory, page), 'utf8'), circumstances);
  const headers = {
    'content-type': htmlType,
    'cache-control': 'no-cache',
    etag: `"${sha256(html, 'base64url').slice(0, 22)}"`,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  };
  return { headers, text: html, ready: {} };
}

const brotli = promisify(brotliCompress);

/** Quality that takes about as long as gzip does, and saves a tenth more. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Below this size, compressing saves nothing. */
const minCompressedLength = 1024;

/** Returns the reply with a file. Each text is compressed once; gzip is the part of those who send replies. */
async function toReply(file: ConsoleFile, takesBrotli: boolean): Promise<HttpReply> {
  const { text = '', headers, ready, bytes } = file;
  if (!takesBrotli || text.length < minCompressedLength)
    return { status: 200, headers, text, ...(ready && { ready }), ...(bytes && { bytes }) };
  file.brotli ??= brotli(text, quality);
  return {
    status: 200,
    headers: { ...headers, 'content-encoding': 'br', vary: 'accept-encoding' },
    text: '',
    bytes: await file.brotli,
  };
}

function acceptsBrotli(acceptEncoding = ''): boolean {
  return acceptEncoding.split(',').some((coding) => /^\s*br\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding));
}
