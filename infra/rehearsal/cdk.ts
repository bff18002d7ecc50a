import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emulatedAccount, region, root } from './environment.ts';
import { RehearsalProblem } from './problem.ts';
import { type Finished, type ProcessOptions, runProcess, runWell, tail } from './processes.ts';
import { leaveOut } from './unsupported.ts';

/** Another name than a stack has by default, so that both ways are tried. */
export const stackName = 'Flagstaff-rehearsal';

/** The result of a stack's deployment. */
export interface DeployedStack {
  readonly outputs: Readonly<Record<string, string>>;
  /** The templates as they were written, by their files. */
  readonly templates: ReadonlyMap<string, string>;
  /** True if the CDK found that the stack was like this already. */
  readonly isUnchanged: boolean;
}

const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'arm64' };

/** The choices for a stack to try things on, for the processor of this machine. */
export function choices(): Readonly<Record<string, string>> {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new RehearsalProblem(`There is no Lambda for the processor ${process.arch}.`);
  return { ephemeral: 'true', architecture };
}

function contextFlags(chosen: Readonly<Record<string, string>>): string[] {
  return Object.entries({ stackName, ...chosen }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const command = join(root, 'node_modules', '.bin', 'cdk');
const always = ['--ci', '--no-notices'];

/** Prepares an account for the CDK. */
export async function bootstrap(directory: string, options: ProcessOptions): Promise<void> {
  const environment = `aws://${emulatedAccount}/${region}`;
  await runWell(command, ['bootstrap', environment, ...always, '--output', join(directory, 'bootstrap')], options);
}

/** The name of a deployment, its choices, and further arguments of the command. */
export interface DeployProps {
  readonly name: string;
  readonly chosen: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/**
 * Synthesises the stack and deploys it, as an operator does with one command; in between, what the emulator does not
 * know is taken out of the templates.
 */
async function runDeploy(directory: string, { name, chosen, flags = [] }: DeployProps, options: ProcessOptions) {
  const output = join(directory, name);
  const outputsFile = join(directory, `${name}.json`);
  await runWell(command, ['synth', '--quiet', ...always, ...contextFlags(chosen), '--output', output], options);
  const templates = await leaveOut(output);
  const args = [
    ...['deploy', stackName, ...always, '--app', output, ...flags],
    ...['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputsFile],
  ];
  return { finished: await runProcess(command, args, options), templates, outputsFile };
}

/**
 * Deploys the stack.
 * @throws RehearsalProblem when that fails.
 */
export async function deploy(directory: string, props: DeployProps, options: ProcessOptions): Promise<DeployedStack> {
  const { finished, templates, outputsFile } = await runDeploy(directory, props, options);
  if (finished.code !== 0) throw new RehearsalProblem(`cdk deploy failed:\n${tail(finished.output)}`);
  const outputs = JSON.parse(await readFile(outputsFile, 'utf8'))[stackName];
  return { outputs, templates, isUnchanged: finished.output.includes('(no changes)') };
}

/**
 * Deploys the stack in a way that is to be refused.
 * @returns what the command printed.
 * @throws RehearsalProblem when it is not refused.
 */
export async function deployInVain(directory: string, props: DeployProps, options: ProcessOptions): Promise<string> {
  const { finished } = await runDeploy(directory, props, options);
  if (finished.code === 0) throw new RehearsalProblem('The deployment was not refused.');
  return finished.output;
}

/** Removes the stack; what the emulator makes of it is for the caller to look at. */
export function destroy(directory: string, options: ProcessOptions): Promise<Finished> {
  const output = join(directory, 'destroy');
  const flags = contextFlags(choices());
  return runProcess(command, ['destroy', stackName, ...always, ...flags, '--force', '--output', output], options);
}
