import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { account, region, root } from './environment.ts';
import { RehearsalProblem } from './problem.ts';
import { type Finished, type ProcessOptions, run, runWell } from './processes.ts';

/** The name that infra/app.ts gives the stack. */
export const stackName = 'Flagstaff';

/** What is left of a stack's deployment. */
export interface Deployment {
  readonly outputs: Readonly<Record<string, string>>;
  /** The template as it was written. */
  readonly template: string;
  /** Whether the CDK found that the stack was like this already. */
  readonly isUnchanged: boolean;
}

const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'arm64' };

/** The context of a stack to try things on, for the processor of this machine. */
function contextFlags(): string[] {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new RehearsalProblem(`There is no Lambda for the processor ${process.arch}.`);
  return ['-c', 'ephemeral=true', '-c', `architecture=${architecture}`];
}

const command = join(root, 'node_modules', '.bin', 'cdk');
const always = ['--ci', '--no-notices'];

/** Makes what the CDK needs in an account. */
export async function bootstrap(directory: string, options: ProcessOptions): Promise<void> {
  const environment = `aws://${account}/${region}`;
  await runWell(command, ['bootstrap', environment, ...always, '--output', join(directory, 'bootstrap')], options);
}

/** Synthesises the stack and deploys it, both as an operator does. */
export async function deploy(directory: string, name: string, options: ProcessOptions): Promise<Deployment> {
  const output = join(directory, name);
  const outputsFile = join(directory, `${name}.json`);
  const { output: printed } = await runWell(
    command,
    [
      'deploy',
      stackName,
      ...always,
      ...contextFlags(),
      ...['--require-approval', 'never', '--progress', 'events'],
      ...['--output', output, '--outputs-file', outputsFile],
    ],
    options,
  );
  const outputs = JSON.parse(await readFile(outputsFile, 'utf8'))[stackName];
  const template = await readFile(join(output, `${stackName}.template.json`), 'utf8');
  return { outputs, template, isUnchanged: printed.includes('(no changes)') };
}

/** Removes the stack; what the emulator makes of it is for the caller to look at. */
export function destroy(directory: string, options: ProcessOptions): Promise<Finished> {
  const output = join(directory, 'destroy');
  return run(command, ['destroy', stackName, ...always, ...contextFlags(), '--force', '--output', output], options);
}
