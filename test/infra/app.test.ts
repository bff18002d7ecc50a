import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runFile } from './commands/run-command.ts';

const file = fileURLToPath(new URL('../../infra/app.ts', import.meta.url));

test.each([
  [{ ephemeral: 'maybe' }, 'ephemeral must be false or true, not "maybe".'],
  [{ ephemerall: 'true' }, 'Unknown setting "ephemerall"; infra/README.md lists all settings.'],
  [{ stackName: '1st' }, 'stackName must be a letter, followed by at most 53 letters, digits and hyphens, not "1st".'],
])('The setting %j is refused in one sentence, before anything is bundled', async (context, sentence) => {
  const env = { PATH: process.env.PATH, CDK_CONTEXT_JSON: JSON.stringify(context) };
  expect(await runFile(file, [], env)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
});

test('The app of deployments from GitHub needs a repository, and says so in one sentence', async () => {
  const deploymentApp = fileURLToPath(new URL('../../infra/deployment/app.ts', import.meta.url));
  expect(await runFile(deploymentApp, [], { PATH: process.env.PATH })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'repository is needed, such as -c repository=acme/flags.\n',
  });
});
