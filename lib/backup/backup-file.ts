import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as v from 'valibot';
import { lastMigration } from '../migrations/migrate.ts';
import type { RawItem } from '../store/raw-items.ts';
import { parseJson } from '../values/json.ts';
import type { WorkingCopy } from './working-copy.ts';

/*
 * A backup is a gzip file of JSON lines: a header, the items in order, and a footer with the number of items and the SHA-256 of
 * all lines before it. It contains no time, so that equal content makes an equal file.
 */

/** The version of the file format. */
const format = 1;

const header = v.object({
  flagstaff: v.literal('backup'),
  format: v.number(),
  /** The layout of the store: the number of its last migration. */
  layout: v.number(),
  /** The release that wrote the file. */
  version: v.string(),
});
type Header = v.InferOutput<typeof header>;

const footer = v.object({ items: v.number(), sha256: v.string() });

/** An item has at most 400 kB, and JSON may need six bytes for one. */
const lineBytesMax = 3 * 1024 * 1024;

/** The error for a file that is not a complete backup, or that this release cannot read. */
export class BadBackup extends Error {
  /** True if all items were read, and only their checksum is wrong. */
  readonly isRead: boolean;

  constructor(message: string, isRead = false) {
    super(message);
    this.isRead = isRead;
  }
}

/** The progress of a long stage of a backup or a restore. */
interface StageProgress extends Disposable {
  advance(amount?: number): void;
}

/**
 * Begins to report the progress of a stage.
 * @param stage the name of the stage, such as "Items read".
 * @param total the total amount, if known.
 */
export type StartProgress = (stage: string, total?: number) => StageProgress;

/** The description of a complete backup. */
export interface Backup {
  readonly header: Header;
  readonly items: number;
  /** SHA-256 of the content, which identifies the backup. */
  readonly sha256: string;
}

/**
 * Writes a backup of the copied items.
 * @param layout the layout of the items.
 */
export async function writeBackup(
  file: string,
  copy: WorkingCopy,
  { version, layout }: Pick<Header, 'version' | 'layout'>,
  startProgress: StartProgress,
): Promise<Omit<Backup, 'header'>> {
  using progress = startProgress('Items written', copy.size);
  const digest = createHash('sha256');
  let count = 0;
  function* lines() {
    yield hashLine(JSON.stringify({ flagstaff: 'backup', format, layout, version } satisfies Header), digest);
    for (const { item } of copy.items()) {
      count += 1;
      progress.advance();
      yield hashLine(item, digest);
    }
    yield `${JSON.stringify({ items: count, sha256: digest.copy().digest('hex') })}\n`;
  }
  // Only the owner may read it, since it contains hashes of secrets. `flush` waits until it is on the disk.
  const output = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(Readable.from(joinLines(lines())), createGzip(), output);
  return { items: count, sha256: digest.digest('hex') };
}

/** Adds a line to a digest, and returns it with its line break. */
function hashLine(line: string, digest: Hash): string {
  const text = `${line}\n`;
  digest.update(text);
  return text;
}

/** Joins lines to larger parts, since streams are slow for many small parts. */
function* joinLines(lines: Iterable<string>): Generator<string> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < 65_536) continue;
    yield part;
    part = '';
  }
  yield part;
}

/**
 * Reads a backup to its end and returns its description.
 * @throws BadBackup unless the file is a complete, unchanged backup that this release can read.
 */
export async function checkBackup(file: string, startProgress: StartProgress): Promise<Backup> {
  using progress = startProgress('Items checked');
  const reading = readBackup(file);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value;
    progress.advance();
  }
}

/**
 * Reads the items of a backup, and returns its description at the end.
 * @throws BadBackup like `checkBackup`, possibly after the last item.
 */
export async function* readBackup(file: string): AsyncGenerator<RawItem, Backup> {
  const digest = createHash('sha256');
  let readHeader: Header | undefined;
  let items = 0;
  // The last line is the footer, so each line is held back until the next one is read.
  let previous: string | undefined;
  for await (const line of readLines(file)) {
    if (previous !== undefined) {
      digest.update(`${previous}\n`);
      if (readHeader === undefined) {
        readHeader = parseHeader(previous, file);
      } else {
        items += 1;
        yield parseItem(previous, file);
      }
    }
    previous = line;
  }
  if (previous === undefined) throw notABackup(file);
  if (readHeader === undefined) parseHeader(previous, file);
  const last = v.safeParse(footer, parseJson(previous));
  if (readHeader === undefined || !last.success) throw truncated(file);
  const sha256 = digest.digest('hex');
  if (last.output.sha256 !== sha256 || last.output.items !== items) throw changed(file, true);
  return { header: readHeader, items, sha256 };
}

function parseHeader(line: string, file: string): Header {
  const { success, output } = v.safeParse(header, parseJson(line));
  if (!success) throw notABackup(file);
  if (output.format > format || output.layout > lastMigration) {
    throw new BadBackup(`${file} is a backup of the newer release ${output.version}: restore it with that release.`);
  }
  return output;
}

function parseItem(line: string, file: string): RawItem {
  const item = parseJson(line);
  if (!isItem(item)) throw changed(file);
  return item;
}

/** Tells whether a value is an item. A schema would drop attributes with names such as `__proto__`. */
function isItem(value: unknown): value is RawItem {
  if (typeof value !== 'object' || value === null || !('pk' in value && 'sk' in value)) return false;
  const isFlat = Object.values(value).every((attribute) => attribute === null || typeof attribute !== 'object');
  return isFlat && [value.pk, value.sk].every((part) => typeof part === 'string' && part !== '');
}

const notABackup = (file: string) => new BadBackup(`${file} is not a backup of Flagstaff.`);
const truncated = (file: string) => new BadBackup(`${file} is truncated: its end is missing.`);
const changed = (file: string, isRead = false) =>
  new BadBackup(`${file} was changed after it was written: its checksum is wrong.`, isRead);

/** Reads the lines of a gzip file. Only "\n" ends a line: other line separators may occur in a text. */
async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const content = source.pipe(createGunzip({ chunkSize: 65_536 }));
  source.on('error', (error) => content.destroy(error));
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      let text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10)) {
        yield text.toString('utf8', 0, at);
        text = text.subarray(at + 1);
      }
      if (text.length > lineBytesMax) throw notABackup(file);
      rest = text;
    }
  } catch (error) {
    throw explain(error, file);
  } finally {
    source.destroy();
  }
  if (rest.length > 0) throw truncated(file);
}

/** Returns a BadBackup for a failure to read or unpack the file; returns other errors unchanged. */
function explain(error: unknown, file: string): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const { code, message } = error;
  if (code === 'Z_BUF_ERROR') return truncated(file);
  if (code === 'Z_DATA_ERROR') return message === 'incorrect header check' ? notABackup(file) : changed(file);
  return 'syscall' in error ? new BadBackup(`${file} cannot be read: ${message}.`) : error;
}
