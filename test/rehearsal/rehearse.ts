import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../infra/commands/command.ts';
import { type Emulator, emulatorRequirement, signingRequirement, startEmulator } from './emulator.ts';
import { awsEnvironment, baseEnvironment } from './environment.ts';
import { RehearsalProblem, tail } from './processes.ts';
import { findPython, installPackages } from './python.ts';
import { playScenario } from './scenario.ts';
import { step } from './step.ts';

const help = `Deploys the stack into an emulator of AWS on this machine, checks that the service works, and removes the stack again.
It needs Python 3.10 or newer with pip, and network access to install the emulator. It uses no AWS account.
The exit code is 0 if all checks pass, otherwise 1.

  npm run rehearse     (-h, --help: this text)`;

const maxMinutes = 30;

/** Returns a signal that ends the rehearsal after 30 minutes, or when the process gets a signal to end. */
function createSignal(): AbortSignal {
  const controller = new AbortController();
  const abort = (reason: string) => controller.abort(new RehearsalProblem(reason));
  setTimeout(() => abort(`The rehearsal took more than ${maxMinutes} minutes.`), maxMinutes * 60_000).unref();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => abort(`Stopped by ${name}.`));
  return controller.signal;
}

async function rehearse(): Promise<void> {
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(0);
  const signal = createSignal();
  const directory = await mkdtemp(join(tmpdir(), 'flagstaff-rehearsal-'));
  let emulator: Emulator | undefined;
  try {
    const options = { env: baseEnvironment(directory), signal };
    const python = await step('find Python', () => findPython(options), String);
    const bin = await step(`install ${emulatorRequirement}`, () =>
      installPackages(python, [emulatorRequirement, signingRequirement], directory, options),
    );
    emulator = await step('start the emulator', () => startEmulator(bin, directory, signal));
    const { endpoint } = emulator;
    const env = awsEnvironment(directory, endpoint);
    const { resources, checks } = await playScenario(endpoint, directory, { env, signal });
    console.log(`Passed: ${checks} contract tests on a stack of ${resources} resources, in ${seconds()} s.`);
  } catch (error) {
    console.error(error instanceof RehearsalProblem ? error.message : error);
    if (emulator !== undefined && !signal.aborted)
      console.error(`The last output of the emulator:\n${tail(emulator.output())}`);
    console.error(`The rehearsal failed after ${seconds()} s.`);
    process.exitCode = 1;
  } finally {
    await emulator?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

await runCommand({ name: 'rehearse', help, run: rehearse });
