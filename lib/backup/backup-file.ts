import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as v from 'valibot';
import { lastMigration } from '../migrations/migrate.ts';
import type { WholeItem } from '../store/whole-items.ts';
import { parsedJson } from '../values/json.ts';
import type { StartStage } from './stage.ts';
import type { WorkingCopy } from './working-copy.ts';

/*
 * A backup is a gzip of lines, each a JSON object: a head, the items in their order with their attributes as they are, and an
 * end with the number of items and the SHA-256 of all lines before it. It has no time in it, so that equal content is an
 * equal file.
 */

/** The version of this form of a file. */
const format = 1;

const head = v.object({
  flagstaff: v.literal('backup'),
  format: v.number(),
  /** The number of the store's layout: that of the last migration. */
  layout: v.number(),
  /** The release that has written it. */
  version: v.string(),
});
type Head = v.InferOutput<typeof head>;

const end = v.object({ items: v.number(), sha256: v.string() });

/** An item is 400 kB at most, of which JSON may write each byte as six. */
const lineBytesMax = 3 * 1024 * 1024;

/** A file that is no whole backup which this release can read; the message is a sentence about the file. */
export class BadBackup extends Error {}

/** A whole backup. */
export interface Backup {
  readonly head: Head;
  readonly items: number;
  /** The SHA-256 of its content, which identifies it. */
  readonly sha256: string;
}

/**
 * Writes a backup of the items that were copied.
 * @param layout number of the layout that they have.
 */
export async function writeBackup(
  file: string,
  copy: WorkingCopy,
  { version, layout }: Pick<Head, 'version' | 'layout'>,
  startStage: StartStage,
): Promise<Omit<Backup, 'head'>> {
  using stage = startStage('Items written', copy.size);
  const digest = createHash('sha256');
  let count = 0;
  function* lines() {
    yield hashed(JSON.stringify({ flagstaff: 'backup', format, layout, version } satisfies Head), digest);
    for (const each of copy.items()) {
      count += 1;
      stage.advance();
      yield hashed(each.item, digest);
    }
    yield `${JSON.stringify({ items: count, sha256: digest.copy().digest('hex') })}\n`;
  }
  // Hashes of secrets are in it. On the disk before it counts as written.
  const output = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(Readable.from(portions(lines())), createGzip(), output);
  return { items: count, sha256: digest.digest('hex') };
}

function hashed(line: string, digest: Hash): string {
  const text = `${line}\n`;
  digest.update(text);
  return text;
}

/** Joins lines: a stream handles each of its parts by itself, which takes longer than a line. */
function* portions(lines: Iterable<string>): Generator<string> {
  let portion = '';
  for (const line of lines) {
    portion += line;
    if (portion.length < 65_536) continue;
    yield portion;
    portion = '';
  }
  yield portion;
}

/**
 * Reads a backup to its end and says what it is.
 * @throws BadBackup for anything but a whole, unchanged one that this release can read.
 */
export async function checkBackup(file: string, startStage: StartStage): Promise<Backup> {
  using stage = startStage('Items checked');
  const reading = readBackup(file);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value;
    stage.advance();
  }
}

/**
 * Reads the items of a backup, and at its end what it is.
 * @throws BadBackup as `checkBackup`, as soon as it shows: what is wrong may come after all items.
 */
export async function* readBackup(file: string): AsyncGenerator<WholeItem, Backup> {
  const digest = createHash('sha256');
  let found: Head | undefined;
  let items = 0;
  // The last line is the end, and a line is the last one where none follows.
  let before: string | undefined;
  for await (const line of linesIn(file)) {
    if (before !== undefined) {
      digest.update(`${before}\n`);
      if (found === undefined) {
        found = headIn(before, file);
      } else {
        items += 1;
        yield itemIn(before, file);
      }
    }
    before = line;
  }
  if (before === undefined) throw noBackup(file);
  if (found === undefined) headIn(before, file);
  const last = v.safeParse(end, parsedJson(before));
  if (found === undefined || !last.success) throw isCut(file);
  const sha256 = digest.digest('hex');
  if (last.output.sha256 !== sha256 || last.output.items !== items) throw isChanged(file);
  return { head: found, items, sha256 };
}

function headIn(line: string, file: string): Head {
  const { success, output } = v.safeParse(head, parsedJson(line));
  if (!success) throw noBackup(file);
  if (output.format > format || output.layout > lastMigration) {
    throw new BadBackup(`${file} is a backup of the newer release ${output.version}: restore it with that one.`);
  }
  return output;
}

function itemIn(line: string, file: string): WholeItem {
  const item = parsedJson(line);
  if (!isItem(item)) throw isChanged(file);
  return item;
}

/** By hand: a schema would leave out attributes of some names. */
function isItem(value: unknown): value is WholeItem {
  if (typeof value !== 'object' || value === null || !('pk' in value && 'sk' in value)) return false;
  const isFlat = Object.values(value).every((each) => each === null || typeof each !== 'object');
  return isFlat && [value.pk, value.sk].every((each) => typeof each === 'string' && each !== '');
}

const noBackup = (file: string) => new BadBackup(`${file} is no backup of Flagstaff.`);
const isCut = (file: string) => new BadBackup(`${file} is cut off: its end is missing.`);
const isChanged = (file: string) =>
  new BadBackup(`${file} was changed after it had been written: its checksum is wrong.`);

/** The lines of a gzip. Lines end with "\n" alone: other separators may stand in a text. */
async function* linesIn(file: string): AsyncGenerator<string> {
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
      if (text.length > lineBytesMax) throw noBackup(file);
      rest = text;
    }
  } catch (error) {
    throw badOf(error, file);
  } finally {
    source.destroy();
  }
  if (rest.length > 0) throw isCut(file);
}

function badOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const { code, message } = error;
  if (code === 'Z_BUF_ERROR') return isCut(file);
  if (code === 'Z_DATA_ERROR') return message === 'incorrect header check' ? noBackup(file) : isChanged(file);
  return 'syscall' in error ? new BadBackup(`${file} cannot be read: ${message}`) : error;
}
