import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addConsole } from '../../../infra/console/add-console.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { synthesizeFew } from '../synthesize.ts';

test('the console is built next to the code of the function that serves it', async () => {
  const bundle = folderInTest();
  await addConsole(bundle, 'flagstaff', undefined);
  expect(readdirSync(join(bundle, 'console')).toSorted()).toEqual(['icon.svg', 'index.html', 'static']);
  const page = readFileSync(join(bundle, 'console/index.html'), 'utf8');
  expect(page).toMatch(/<script type="module" src="\/static\/console-[\w-]+\.js"><\/script>/);
});

test("Unleash's admin UI is copied there instead if it was chosen, and nothing without a console", async () => {
  const directory = folderInTest();
  mkdirSync(join(directory, 'static'));
  writeFileSync(join(directory, 'static/index.js'), 'the script');
  const bundle = folderInTest();
  await addConsole(bundle, 'off', directory);
  expect(readdirSync(bundle)).toEqual([]);
  await addConsole(bundle, 'unleash', directory);
  expect(readFileSync(join(bundle, 'console/static/index.js'), 'utf8')).toBe('the script');
});

test("Unleash's admin UI that was not fetched cannot be deployed, and the error names the command", async () => {
  await expect(addConsole(folderInTest(), 'unleash', undefined)).rejects.toThrow('run "npm run unleash-console" first');
});

test('the console adds no resource: the function for unmatched routes serves it', () => {
  const resourcesWith = (context: Readonly<Record<string, string>>) =>
    Object.entries(synthesizeFew(context).whole.toJSON().Resources as object).map(([id, { Type }]) => `${id} ${Type}`);
  expect(resourcesWith({})).toEqual(resourcesWith({ console: 'off' }));
  const { notFound } = synthesizeFew({}).main.findResources('AWS::Lambda::Function');
  expect(notFound?.Properties.Environment.Variables).toMatchObject({
    CONSOLE: 'flagstaff',
    CONSOLE_DIRECTORY: '/var/task/console',
  });
});
