import { join } from 'node:path';
import { root } from './environment.ts';
import { type ProcessOptions, runWell } from './processes.ts';

/** Runs one of the project's commands on the deployed table, the way the README says. @returns what it printed. */
export async function runOnTable(
  name: 'seed' | 'token' | 'backup' | 'restore',
  args: readonly string[],
  tableName: string,
  { env, signal }: ProcessOptions,
): Promise<string> {
  const file = join(root, 'infra', 'commands', `${name}.ts`);
  const { stdout } = await runWell(process.execPath, [file, ...args], {
    env: { ...env, TABLE_NAME: tableName },
    signal,
  });
  return stdout.trim();
}
