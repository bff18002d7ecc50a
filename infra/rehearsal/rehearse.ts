import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../commands/command.ts';
import { type Emulator, emulatorRequirement, startEmulator } from './emulator.ts';
import { awsEnvironment, baseEnvironment } from './environment.ts';
import { RehearsalProblem } from './problem.ts';
import { tail } from './processes.ts';
import { findPython, installPackages } from './python.ts';
import { playScenario } from './scenario.ts';
import { step } from './step.ts';

const help = `Deploys the stack into an emulator of AWS on this machine, proves that it serves, and removes all of it again. It needs
Python 3.10 or newer with pip, and the network for one package; it touches no account. Ends with 0 when everything is
as it should be, else with 1.

  npm run rehearse     (-h, --help: this text)`;

const minutesMax = 30;

/** Ends the rehearsal early: when it takes too long, or when it is interrupted. */
function createSignal(): AbortSignal {
  const controller = new AbortController();
  const end = (reason: string) => controller.abort(new RehearsalProblem(reason));
  setTimeout(() => end(`It took more than ${minutesMax} minutes.`), minutesMax * 60_000).unref();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end(`Stopped by ${name}.`));
  return controller.signal;
}

/**
 * Deploys the stack into an emulator of AWS on this machine, proves that it serves, and removes all of it again. It ends
 * the process with 0 when everything was as it should be, else with 1.
 */
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
      installPackages(python, [emulatorRequirement], directory, options),
    );
    emulator = await step('start the emulator', () => startEmulator(bin, directory, signal));
    const { endpoint } = emulator;
    const env = awsEnvironment(directory, endpoint);
    const { resources, checks } = await playScenario(endpoint, directory, { env, signal });
    console.log(`All is well: ${checks} checks on a stack of ${resources} resources, in ${seconds()} s.`);
  } catch (error) {
    console.error(error instanceof RehearsalProblem ? error.message : error);
    if (emulator !== undefined && !signal.aborted) console.error(`The emulator said last:\n${tail(emulator.output())}`);
    console.error(`The rehearsal failed after ${seconds()} s.`);
    process.exitCode = 1;
  } finally {
    await emulator?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

await runCommand({ name: 'rehearse', help, run: rehearse });
