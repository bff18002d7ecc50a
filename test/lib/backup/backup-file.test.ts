import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBackup, readBackup, writeBackup } from '../../../lib/backup/backup-file.ts';
import { WorkingCopy } from '../../../lib/backup/working-copy.ts';
import { lastMigration } from '../../../lib/migrations/migrate.ts';
import type { RawItem } from '../../../lib/store/raw-items.ts';
import { folderOfTests } from '../../harness/test-folder.ts';

const folder = folderOfTests();

const file = join(folder, 'backup.gz');
const release = { version: '1.2.3', layout: lastMigration };
const startProgress = () => ({ advance() {}, [Symbol.dispose]() {} });

async function keep(items: readonly RawItem[], as = release) {
  using copy = new WorkingCopy();
  copy.put(items);
  await writeBackup(file, copy, as, startProgress);
}

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const value = fc.oneof(
  text,
  fc.constant(''),
  fc.constant('a\n\u2028\u0000"'),
  fc.double({ noNaN: true }),
  fc.boolean(),
);
const item = fc
  .tuple(text, text, fc.dictionary(text, fc.option(value)))
  .map(([pk, sk, others]): RawItem => ({ ...others, pk, sk }));
const items = fc.uniqueArray(item, { selector: ({ pk, sk }) => `${pk}\n${sk}`, maxLength: 20 });

const byKey = (a: RawItem, b: RawItem) =>
  Buffer.compare(Buffer.from(a.pk), Buffer.from(b.pk)) || Buffer.compare(Buffer.from(a.sk), Buffer.from(b.sk));

describe('A backup', () => {
  test('contains items in the order of their keys, and is the same file for any order of reads', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (some) => {
        await keep(some);
        const first = readFileSync(file);
        const read = await Array.fromAsync(readBackup(file));
        expect(read).toEqual(some.toSorted(byKey).map((each) => JSON.parse(JSON.stringify(each))));
        await keep(some.toReversed());
        expect(readFileSync(file).equals(first)).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  test('can be read by its owner only, since it contains hashes of secrets', async () => {
    await keep([{ pk: 'A', sk: 'B' }]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test('has the items that grant access after all others', async () => {
    const all = ['ACCESS', 'FEATURE#a', 'SIGN_IN#1', 'TOKENS#0', 'USAGE#a'].map((pk) => ({ pk, sk: 'x' }));
    await keep(all);
    const order = (await Array.fromAsync(readBackup(file))).map(({ pk }) => pk);
    expect(order).toEqual(['FEATURE#a', 'USAGE#a', 'ACCESS', 'SIGN_IN#1', 'TOKENS#0']);
  });
});

describe('A restore refuses in one sentence', () => {
  const some = Array.from({ length: 12 }, (_, index) => ({
    pk: `FEATURE#${index}`,
    sk: 'FEATURE',
    name: `of ${index}`,
  }));
  const check = () => checkBackup(file, startProgress);
  const changed = (change: (content: string) => string) =>
    writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(file)).toString())));

  test('a file that is truncated at any byte', async () => {
    await keep(some);
    const whole = readFileSync(file);
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(file, whole.subarray(0, length));
      await expect(check(), `${length} bytes`).rejects.toThrow(
        / is truncated: its end is missing\.$| is not a backup of Flagstaff\.$/,
      );
    }
  });

  test('a file with any byte changed', async () => {
    await keep(some);
    const whole = readFileSync(file);
    const before = await check();
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      writeFileSync(file, bytes);
      // Some bytes of the gzip header do not concern the content.
      const found = await check().catch((error: Error) => error.message);
      if (typeof found === 'string') expect(found).toMatch(/^\S+ (is truncated|is not a backup|was changed)[^\n]*\.$/);
      else expect(found, `byte ${at}`).toEqual(before);
    }
  });

  test.each([
    ['without an item', (content: string) => content.replace(/\n.*?\n/, '\n')],
    ['with another item', (content: string) => content.replace('of 7', 'of 8')],
    ['with two items in another order', (content: string) => content.replace(/\n(.*)\n(.*)\n/, '\n$2\n$1\n')],
    ['with an item that is not an object', (content: string) => content.replace(/\n.*\n/, '\n[]\n')],
  ])('a file %s', async (_how, change) => {
    await keep(some);
    changed(change);
    await expect(check()).rejects.toThrow(/ was changed after it was written: its checksum is wrong\.$/);
  });

  test('a complete gzip file without the last line', async () => {
    await keep(some);
    changed((content) => content.replace(/[^\n]*\n$/, ''));
    await expect(check()).rejects.toThrow(/ is truncated: its end is missing\.$/);
  });

  test.each([
    ['text', 'Just text.\n'],
    ['nothing', ''],
    ['a gzip of something else', gzipSync('{"flagstaff":"seed"}\n{}\n')],
    ['a line without an end', gzipSync('x'.repeat(3_200_000))],
    ['an export', '{"features":[]}'],
  ])('%s', async (_what, content) => {
    writeFileSync(file, content);
    await expect(check()).rejects.toThrow(/ is (not a backup of Flagstaff|truncated: its end is missing)\.$/);
  });

  test('a backup of a newer layout or format, and names its release', async () => {
    await keep(some, { version: '9.0.0', layout: lastMigration + 1 });
    await expect(check()).rejects.toThrow(/ is a backup of the newer release 9\.0\.0: restore it with that release\.$/);
    await keep(some);
    changed((content) => content.replace('"format":1', '"format":2'));
    await expect(check()).rejects.toThrow(/ newer release 1\.2\.3: /);
  });

  test('a file that does not exist', async () => {
    await expect(checkBackup(join(folder, 'none'), startProgress)).rejects.toThrow(
      /^\S+none cannot be read: ENOENT[^\n]*$/,
    );
  });

  test('a file with something appended', async () => {
    await keep(some);
    appendFileSync(file, 'more');
    await expect(check()).rejects.toThrow(/ (is not a backup of Flagstaff|was changed [^\n]*)\.$/);
  });
});
