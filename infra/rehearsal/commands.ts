import { join } from 'node:path';
import { root } from './environment.ts';
import { type ProcessOptions, runWell } from './processes.ts';

/** Runs one of the project's commands on the deployed table, the way the README says. */
async function runOnTable(
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

/** Adds to the deployed table what it lacks of a seed file. */
export async function seedTable(file: string, tableName: string, options: ProcessOptions): Promise<void> {
  await runOnTable('seed', [join(root, file)], tableName, options);
}

/** A new token that may do everything, made as an operator makes the first one. */
export function makeAdminToken(name: string, tableName: string, options: ProcessOptions): Promise<string> {
  return runOnTable('token', ['--admin', '--name', name], tableName, options);
}

/** Keeps the deployed table in a file. */
export async function keepTable(file: string, tableName: string, options: ProcessOptions): Promise<void> {
  await runOnTable('backup', ['--to', file], tableName, options);
}

/** Fills the deployed table with what a file has kept, whatever it holds. */
export async function refillTable(file: string, tableName: string, options: ProcessOptions): Promise<void> {
  await runOnTable('restore', ['--from', file, '--replace'], tableName, options);
}

/** A new token of a user with a role, who is added where nobody has the name. */
export function makeUserToken(
  { username, role }: { readonly username: string; readonly role: 'Admin' | 'Viewer' },
  tableName: string,
  options: ProcessOptions,
): Promise<string> {
  return runOnTable('token', ['--user', username, '--role', role], tableName, options);
}
