import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Problem } from '../../../infra/problem.ts';
import { baseEnvironment } from '../../../infra/rehearsal/environment.ts';
import { RehearsalProblem } from '../../../infra/rehearsal/problem.ts';
import { run, tail } from '../../../infra/rehearsal/processes.ts';
import { findPython, installPackages } from '../../../infra/rehearsal/python.ts';
import { drivers } from './driver.ts';

/** What this machine lacks for an SDK, which is no promise that broke. */
export class NotHere extends Problem {}

/** How long an installation may take. */
const installMs = 240_000;

const pythonPackages = ['UnleashClient==6.9.1', 'openfeature-provider-ofrep==0.3.0'];
const mavenPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/** Where SDKs of other languages are installed for the time of a proof, and what they are started with. */
export interface Workshop {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** The Python that two SDKs share. */
  python?: Promise<string>;
}

export function workshopIn(directory: string): Workshop {
  const { JAVA_HOME } = process.env;
  return { directory, env: { ...baseEnvironment(directory), ...(JAVA_HOME && { JAVA_HOME }) } };
}

/**
 * A Python with its official SDK and its OpenFeature provider.
 * @throws NotHere where Python or the index of its packages is missing.
 */
export function installPython(workshop: Workshop): Promise<string> {
  workshop.python ??= orNotHere(async () => {
    const { directory, env } = workshop;
    const options = { env, signal: AbortSignal.timeout(installMs) };
    return join(await installPackages(await findPython(options), pythonPackages, directory, options), 'python');
  });
  return workshop.python;
}

/**
 * The official SDK of Java with all that it needs: the folder of its archives.
 * @throws NotHere where Java, Maven or the repository of its packages is missing.
 */
export async function installJava({ directory, env }: Workshop): Promise<string> {
  const options = { env, signal: AbortSignal.timeout(installMs) };
  const folder = join(directory, 'java');
  const args = ['--quiet', '--batch-mode', '--file', join(drivers, 'pom.xml'), mavenPlugin];
  return orNotHere(async () => {
    for (const [command, ...rest] of [
      ['java', '-version'] as const,
      ['mvn', ...args, `-DoutputDirectory=${folder}`] as const,
    ]) {
      const { code, output } = await run(command, rest, options);
      if (code !== 0) throw new NotHere(`${command} fails: ${tail(output, 3)}`);
    }
    return folder;
  });
}

async function orNotHere<T>(install: () => Promise<T>): Promise<T> {
  try {
    return await install();
  } catch (error) {
    if (error instanceof RehearsalProblem) throw new NotHere(error.message);
    if (error instanceof Error && error.name === 'TimeoutError') throw new NotHere('the installation takes too long.');
    throw error;
  }
}

const chromiums = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The command of a Chromium or a Chrome; `CHROME_PATH` names another one.
 * @throws NotHere where there is none.
 */
export function findChromium({ PATH = '', CHROME_PATH } = process.env): string {
  const places = PATH.split(delimiter).flatMap((folder) => chromiums.map((name) => join(folder, name)));
  const found = [...(CHROME_PATH ? [CHROME_PATH] : places), macChrome].find(isCommand);
  if (found === undefined) throw new NotHere(`there is none of ${chromiums.join(', ')}; CHROME_PATH may name one.`);
  return found;
}

function isCommand(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
