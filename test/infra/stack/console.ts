import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addConsole } from '../../../infra/console/release.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { synthesizeFew } from '../synthesize.ts';

test('the console is next to the code of the function that serves it', async () => {
  const directory = folderInTest();
  mkdirSync(join(directory, 'static'));
  writeFileSync(join(directory, 'static/index.js'), 'the script');
  const bundle = folderInTest();
  addConsole(bundle, directory);
  expect(readFileSync(join(bundle, 'console/static/index.js'), 'utf8')).toBe('the script');
});

test('a console that was not fetched cannot be deployed, and the error names the command', async () => {
  const bundle = folderInTest();
  expect(() => addConsole(bundle, undefined)).toThrow('run "npm run unleash-console" first');
});

test('the console adds no resource: the function for unmatched routes serves it', () => {
  const resourcesWith = (context: Readonly<Record<string, string>>) =>
    Object.entries(synthesizeFew(context).whole.toJSON().Resources as object).map(([id, { Type }]) => `${id} ${Type}`);
  expect(resourcesWith({ console: 'true' })).toEqual(resourcesWith({}));
  const { notFound } = synthesizeFew({ console: 'true' }).main.findResources('AWS::Lambda::Function');
  expect(notFound?.Properties.Environment.Variables).toMatchObject({ CONSOLE_DIRECTORY: '/var/task/console' });
});
