import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { kinds } from '../../../lib/imports/seed/kinds.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { tableForEach } from '../../specifications/specify.ts';
import { refusal, runProgram, startCommand } from './run-command.ts';

const example = fileURLToPath(new URL('../../fixtures/seed.json', import.meta.url));

const folder = folderOfTests();

const table = tableForEach();
beforeEach(async () => {
  await prepareStore(table, { adminTokens: [] });
});

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'seed.json');
  await writeFile(file, text);
  return file;
}

test('The table of seed files names every field of every member', () => {
  const rows = readFileSync(new URL('../../../infra/commands/README.md', import.meta.url), 'utf8').split('\n');
  for (const [member, { schema }] of Object.entries(kinds)) {
    const { entries } = schema as unknown as { readonly entries: object };
    const row = rows.find((line) => line.startsWith(`| \`${member}\` |`));
    expect(
      Object.keys(entries).filter((field) => !row?.includes(`\`${field}\``)),
      `infra/commands/README.md: ${member}`,
    ).toEqual([]);
  }
});

describe('the seed command', () => {
  test('says what it has added, and the second time that nothing was missing', async () => {
    const first = await startCommand('seed', [example]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.split('\n')).toEqual([
      'Added environment: staging',
      'Added project: shop',
      'Added environment of the project default: staging',
      'Added context field: country',
      'Added tag type: team',
      'Added strategy type: storeHours',
      'Added segment: swiss-customers',
      'Added addon: webhook (id 1)',
      'Added release template: Shop by shop',
      'Added banner: The shop **moves** on Monday',
      'Added user: alice, bob',
      'Added group: shopkeepers',
      '',
    ]);
    expect(await runProgram('seed', [example])).toEqual({ code: 0, stdout: 'Nothing was missing.\n', stderr: '' });
  });

  test('names every problem with its file, on a line of its own, and writes nothing', async () => {
    const before = await serviceEvents(table);
    const projects = [{}, { id: 'x', environments: ['no', 'none'] }];
    const file = await fileOf(JSON.stringify({ tagTypes: [{ name: 'team' }, {}], projects }));
    const { code, stdout, stderr } = await runProgram('seed', [file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const places = ['projects.0.id', 'tagTypes.1.name', 'projects.1.environments.0', 'projects.1.environments.1'];
    expect(stderr.trim().split('\n')).toEqual(places.map((place) => expect.stringContaining(`${file}: ${place}: `)));
    expect(await serviceEvents(table)).toEqual(before);
  });

  test('says on stderr which members it leaves out because there are none of that name', async () => {
    const file = await fileOf(JSON.stringify({ tagtypes: [{ name: 'team' }], tagTypes: [{ name: 'unit' }] }));
    expect(await runProgram('seed', [file])).toEqual({
      code: 0,
      stdout: 'Added tag type: unit\n',
      stderr: `${file}: the member "tagtypes" is unknown and was ignored.\n`,
    });
  });

  test.each(['{}', '{"features":[]}'])('refuses %s, which is another file, and writes nothing', async (text) => {
    const before = await serviceEvents(table);
    const file = await fileOf(text);
    const reason = / is not a seed file: it has none of the members environments, projects, .*\n$/;
    expect(await runProgram('seed', [file])).toEqual(refusal(reason));
    expect(await serviceEvents(table)).toEqual(before);
  });

  test('refuses a list, such as that of all context fields, and names its file', async () => {
    const file = await fileOf('[{"name":"country"}]');
    const { code, stderr } = await runProgram('seed', [file]);
    expect([code, stderr.startsWith(`${file} is not a seed file: it is a list, not an object`)]).toEqual([1, true]);
  });

  test('names a file that is not there, or holds no JSON, in one line', async () => {
    const absent = await runProgram('seed', ['/nonexistent.json']);
    expect(absent).toEqual(refusal(/^\/nonexistent.json cannot be read.*\n$/));
    const broken = await runProgram('seed', [await fileOf('{"environments": [')]);
    expect(broken).toEqual(refusal(/^.*is not valid JSON.*\n$/));
  });

  test('called without a file tells how it is used and ends with 2', async () => {
    expect(await runProgram('seed', [])).toMatchObject({ code: 2, stdout: '' });
    expect(await runProgram('seed', ['--bogus', 'x'])).toMatchObject({ code: 2, stdout: '' });
    expect(await runProgram('seed', ['--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run seed'),
    });
  });
});
