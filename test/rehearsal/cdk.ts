import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emulatedAccount, region, root } from './environment.ts';
import { type Finished, type ProcessOptions, RehearsalProblem, runOrThrow, runProcess, tail } from './processes.ts';
import { removeUnsupported } from './unsupported.ts';

/** Differs from the default name, so that the rehearsal also tests a stack with a name of its own. */
export const stackName = 'Flagstaff-rehearsal';

/** The result of a stack's deployment. */
export interface DeployedStack {
  readonly outputs: Readonly<Record<string, string>>;
  /** The deployed templates, by file name. */
  readonly templates: ReadonlyMap<string, string>;
  /** True if the CDK reports that the deployment changed nothing. */
  readonly isUnchanged: boolean;
}

const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'arm64' };

/** Returns the settings of a stack for tests on the processor of this machine. */
export function baseSettings(): Readonly<Record<string, string>> {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new RehearsalProblem(`Lambda has no processors of the type ${process.arch}.`);
  return { ephemeral: 'true', architecture };
}

function contextFlags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries({ stackName, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const command = join(root, 'node_modules', '.bin', 'cdk');
const commonFlags = ['--ci', '--no-notices'];

/** Runs `cdk bootstrap` in the emulated account. */
export async function bootstrap(directory: string, options: ProcessOptions): Promise<void> {
  const environment = `aws://${emulatedAccount}/${region}`;
  await runOrThrow(
    command,
    ['bootstrap', environment, ...commonFlags, '--output', join(directory, 'bootstrap')],
    options,
  );
}

/** The name of a deployment, the settings of the stack, and further arguments of `cdk deploy`. */
export interface DeployProps {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/**
 * Runs `cdk synth` and `cdk deploy`. Between the two, it removes the resource types from the templates that the emulator
 * does not support.
 */
async function runDeploy(directory: string, { name, settings, flags = [] }: DeployProps, options: ProcessOptions) {
  const output = join(directory, name);
  const outputsFile = join(directory, `${name}.json`);
  await runOrThrow(
    command,
    ['synth', '--quiet', ...commonFlags, ...contextFlags(settings), '--output', output],
    options,
  );
  const templates = await removeUnsupported(output);
  const args = [
    ...['deploy', stackName, ...commonFlags, '--app', output, ...flags],
    ...['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputsFile],
  ];
  return { finished: await runProcess(command, args, options), templates, outputsFile };
}

/**
 * Deploys the stack.
 * @throws RehearsalProblem if the deployment fails.
 */
export async function deploy(directory: string, props: DeployProps, options: ProcessOptions): Promise<DeployedStack> {
  const { finished, templates, outputsFile } = await runDeploy(directory, props, options);
  if (finished.code !== 0) throw new RehearsalProblem(`cdk deploy failed:\n${tail(finished.output)}`);
  const outputs = JSON.parse(await readFile(outputsFile, 'utf8'))[stackName];
  return { outputs, templates, isUnchanged: finished.output.includes('(no changes)') };
}

/**
 * Runs a deployment that must fail.
 * @returns the output of the command.
 * @throws RehearsalProblem if the deployment succeeds.
 */
export async function expectDeploymentFailure(
  directory: string,
  props: DeployProps,
  options: ProcessOptions,
): Promise<string> {
  const { finished } = await runDeploy(directory, props, options);
  if (finished.code === 0) throw new RehearsalProblem('The deployment succeeded, but should have failed.');
  return finished.output;
}

/** Runs `cdk destroy`. The caller has to check the result, since the emulator does not delete a stack that is named by its id. */
export function destroy(directory: string, options: ProcessOptions): Promise<Finished> {
  const output = join(directory, 'destroy');
  const flags = contextFlags(baseSettings());
  return runProcess(command, ['destroy', stackName, ...commonFlags, ...flags, '--force', '--output', output], options);
}
