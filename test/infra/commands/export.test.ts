import { execFileSync } from 'node:child_process';
import { lstat, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchExport, listNames } from '../../../infra/commands/fetch-export.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import { freePort } from '../../harness/ports.ts';
import { serveHere } from '../../harness/served.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { startSite } from '../../prove/sdks/site.ts';
import { refusal, runProgram, startCommand } from './run-command.ts';

/** More than one request of the command, and of one page of a search. */
const count = 1_050;
const names = Array.from({ length: count }, (_, index) => `f-${String(index).padStart(4, '0')}`);

const example = fileURLToPath(new URL('../../fixtures/unleash-6.3.json', import.meta.url));

const folder = folderOfTests();
let service: Service;
let server: Awaited<ReturnType<typeof serveHere>>;
beforeAll(async () => {
  service = await freshService();
  for (let start = 0; start < count; start += 350) {
    const part = names.slice(start, start + 350);
    const body = importOf(part.map((name) => ({ name, ...(name.endsWith('7') && { tags: ['seven'] }) })));
    expect((await service.post(importPath, body)).status).toBe(200);
  }
  server = await serveHere();
});
afterAll(() => server[Symbol.asyncDispose]());

function runExport(args: readonly string[], run = runProgram) {
  return run('export', [...args, '--url', server.url], { FLAGSTAFF_TOKEN: service.adminToken });
}

const namesIn = (text: string) => JSON.parse(text).features.map(({ name }: { name: string }) => name);

test('the export command exports all features of a project, in as many requests as it takes, into a file', async () => {
  const file = join(folder, 'all.json');
  const args = ['--environment', 'development', '--project', 'default', '--out', file];
  const { code, stderr } = await runExport(args, startCommand);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Exported ${count} features, with the strategies of "development".\n`,
  });
  const text = await readFile(file, 'utf8');
  expect(namesIn(text)).toEqual(names);
  expect(JSON.parse(text).tagTypes.map(({ name }: { name: string }) => name)).toEqual(['simple']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('it replaces a file once the new one is whole, and writes to what is no file', async () => {
  const file = join(folder, 'replaced.json');
  await writeFile(file, 'before', { mode: 0o600 });
  const link = join(folder, 'link.json');
  await symlink(file, link);
  const reader = await open(file);
  const args = ['f-0001', '--environment', 'development', '--out'];
  expect(await runExport([...args, link], startCommand)).toMatchObject({ code: 0 });
  expect(await reader.readFile('utf8')).toBe('before');
  await reader.close();
  expect([(await lstat(link)).isSymbolicLink(), (await stat(file)).mode & 0o777]).toEqual([true, 0o600]);
  expect(namesIn(await readFile(file, 'utf8'))).toEqual(['f-0001']);
  expect((await readdir(folder)).filter((name) => name.startsWith('replaced.json.'))).toEqual([]);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [read] = await Promise.all([readFile(pipe, 'utf8'), runExport([...args, pipe])]);
  expect(namesIn(read)).toEqual(['f-0001']);
});

test('it exports features by name, and by tag', async () => {
  const named = await runExport(['f-0001', 'f-0002', 'f-0001', '--environment', 'production']);
  expect(namesIn(named.stdout)).toEqual(['f-0001', 'f-0002']);
  const tagged = await runExport(['--environment', 'development', '--tag', 'simple:seven']);
  expect(namesIn(tagged.stdout)).toEqual(names.filter((name) => name.endsWith('7')));
});

test('it exports nothing where no feature is meant', async () => {
  const { stdout } = await runExport(['--environment', 'development', '--tag', 'simple:nobody']);
  expect(JSON.parse(stdout)).toMatchObject({ features: [], featureStrategies: [], links: [] });
});

test('it says what is wrong', async () => {
  for (const [args, words, code] of [
    [['--project', 'default'], '--environment is required', 2],
    [['a', '--environment', 'development', '--tag', 'b'], 'Name features', 2],
    [['missing', '--environment', 'development'], '404', 1],
    [['--environment', 'nowhere'], '404', 1],
  ] as const) {
    expect(await runExport(args)).toEqual(refusal(words, code));
  }
});

test('it asks the service at PORT of this machine where --url names none', async () => {
  const settings = { FLAGSTAFF_TOKEN: service.adminToken, PORT: String(server.port) };
  const { code, stdout } = await runProgram('export', ['f-0001', '--environment', 'development'], settings);
  expect({ code, names: namesIn(stdout) }).toEqual({ code: 0, names: ['f-0001'] });
});

test.each([
  ['import', example, '--project', 'default', '--environment', 'development'],
  ['export', '--environment', 'development'],
])('%s names --url where nothing answers', async (command, ...args) => {
  const PORT = String(await freePort('127.0.0.1'));
  const refused = new RegExp(`^Nothing answers at http://localhost:${PORT} \\(.*ECONNREFUSED.*--url`);
  expect(await runProgram(command, args, { PORT })).toEqual(refusal(refused));
  expect(await runProgram(command, args, { PORT: '0' })).toEqual(refusal(/^PORT is "0".*--url/, 2));
});

test('it asks a server that is too busy again when that says so', async () => {
  await using busy = await Receiver.start();
  busy.answer = () =>
    busy.received.length === 1
      ? { status: 429, headers: { 'retry-after': '1' } }
      : { status: 200, body: JSON.stringify({ features: [{ name: 'a' }] }) };
  const source = { service: new URL(busy.url), token: service.adminToken };
  const { features } = await fetchExport(source, { environment: 'development', features: ['a'] });
  expect(features).toEqual([{ name: 'a' }]);
  const [first = 0, second = 0] = busy.received.map(({ at }) => at);
  expect(second - first).toBeGreaterThan(990);
});

test('it finds all features of a server that lists fewer at once than are asked for', async () => {
  const json = (body: object) => ['application/json', JSON.stringify(body)] as const;
  const page = (offset: number) =>
    `/api/admin/search/features?archived=IS%3Afalse&offset=${offset}&limit=1000&sortBy=name`;
  await using site = await startSite({
    [page(0)]: json({ total: 2, features: [{ name: 'a' }] }),
    [page(1)]: json({ total: 2, features: [{ name: 'b' }] }),
  });
  const source = { service: new URL(site.url), token: service.adminToken };
  expect(await listNames(source, { environment: 'development' })).toEqual(['a', 'b']);
});
