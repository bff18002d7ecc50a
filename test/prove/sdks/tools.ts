import { accessSync, constants, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Problem } from '../../../infra/problem.ts';
import { baseEnvironment } from '../../rehearsal/environment.ts';
import { RehearsalProblem, runProcess, tail } from '../../rehearsal/processes.ts';
import { findPython, installPackages } from '../../rehearsal/python.ts';
import { drivers } from './driver.ts';

/** Error for a tool that this machine lacks; no promise is broken. */
export class NotHere extends Problem {}

/** Most time for an installation. */
const installMs = 600_000;

const pythonPackages = ['UnleashClient==6.9.1', 'openfeature-provider-ofrep==0.3.0'];
const goPackages = [
  'github.com/Unleash/unleash-go-sdk/v5@v5.0.3',
  'github.com/open-feature/go-sdk@v1.20.0',
  'github.com/open-feature/go-sdk-contrib/providers/ofrep@v0.1.7',
];
const mavenPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/** Place where SDKs of other languages are installed for a proof, and the environment they start with. */
export interface Workshop {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** The Python that several proofs share. */
  python?: Promise<string>;
  /** The folder of Java's archives, which they share, too. */
  java?: Promise<string>;
}

export function workshopIn(directory: string): Workshop {
  const { JAVA_HOME, GOPROXY } = process.env;
  const go = {
    GOPATH: join(directory, 'go'),
    GOCACHE: join(directory, 'go-cache'),
    // Its downloads are removed with the folder.
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'local',
    ...(GOPROXY && { GOPROXY }),
  };
  return { directory, env: { ...baseEnvironment(directory), ...(JAVA_HOME && { JAVA_HOME }), ...go } };
}

/**
 * Installs Python's official SDK and its OpenFeature provider.
 * @throws NotHere if Python or its package index is missing.
 */
export function installPython(workshop: Workshop): Promise<string> {
  workshop.python ??= installPythonPackages(workshop, pythonPackages);
  return workshop.python;
}

/**
 * Installs packages of Python, and returns the command of the Python that has them.
 * @throws NotHere if Python or its package index is missing.
 */
export function installPythonPackages({ directory, env }: Workshop, packages: readonly string[]): Promise<string> {
  return orNotHere(async () => {
    const options = { env, signal: AbortSignal.timeout(installMs) };
    return join(await installPackages(await findPython(options), packages, directory, options), 'python');
  });
}

/**
 * Installs Java's official SDK and its OpenFeature provider, with all dependencies, and returns the folder of their
 * archives.
 * @throws NotHere if Java, Maven or its repository is missing.
 */
export function installJava(workshop: Workshop): Promise<string> {
  workshop.java ??= installArchives(workshop, join(drivers, 'pom.xml'));
  return workshop.java;
}

/**
 * Installs the archives that a file of Maven's names, with all dependencies, and returns their folder.
 * @throws NotHere if Java, Maven or its repository is missing.
 */
export function installArchives({ directory, env }: Workshop, pom: string): Promise<string> {
  return orNotHere(async () => {
    const folder = join(directory, 'java');
    const args = ['--quiet', '--batch-mode', '--file', pom, mavenPlugin, `-DoutputDirectory=${folder}`];
    await runAll(env, ['java', '-version'], ['mvn', ...args]);
    return folder;
  });
}

/**
 * Builds a program of Go, with the packages that it may need.
 * @returns its file.
 * @throws NotHere where Go or the proxy of its modules is missing.
 */
export function buildGo({ directory, env }: Workshop, source: string): Promise<string> {
  return orNotHere(async () => {
    const module = mkdtempSync(join(directory, 'go-program-'));
    writeFileSync(join(module, 'main.go'), source);
    const go = ['go', '-C', module] as const;
    const packages = goPackages.filter((each) => source.includes(`"${each.slice(0, each.indexOf('@'))}`));
    await runAll(env, [...go, 'mod', 'init', 'prove'], [...go, 'get', ...packages], [...go, 'build', '-o', 'program']);
    return join(module, 'program');
  });
}

/**
 * Installs packages of npm in a folder of their own.
 * @throws NotHere where the registry is missing.
 */
export function installNpm({ directory, env }: Workshop, packages: readonly string[]): Promise<string> {
  return orNotHere(async () => {
    const folder = mkdtempSync(join(directory, 'npm-'));
    const flags = ['--silent', '--ignore-scripts', '--no-audit', '--prefix', folder];
    await runAll(env, ['npm', 'install', ...flags, ...packages]);
    return folder;
  });
}

/** @throws NotHere with what the first command said that failed. */
export async function runAll(env: NodeJS.ProcessEnv, ...commands: (readonly [string, ...string[]])[]): Promise<void> {
  const options = { env, signal: AbortSignal.timeout(installMs) };
  for (const [command, ...args] of commands) {
    const { code, output } = await runProcess(command, args, options);
    if (code !== 0) throw new NotHere(`${command} fails: ${tail(output, 3)}`);
  }
}

/** @throws NotHere where an installation fails for something that this machine lacks, or takes too long. */
export async function orNotHere<T>(install: () => Promise<T>): Promise<T> {
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
 * Returns the command of a Chromium or a Chrome; `CHROME_PATH` names another one.
 * @throws NotHere if there is none.
 */
export function findChromium({ PATH = '', CHROME_PATH } = process.env): string {
  const places = PATH.split(delimiter).flatMap((folder) => chromiums.map((name) => join(folder, name)));
  const found = [...(CHROME_PATH ? [CHROME_PATH] : places), macChrome].find(isCommand);
  if (found === undefined) throw new NotHere(`there is none of ${chromiums.join(', ')}; CHROME_PATH may name one.`);
  return found;
}

/**
 * Returns the command of a Firefox; `FIREFOX_PATH` names another one.
 * @throws NotHere if there is none.
 */
export function findFirefox({ PATH, FIREFOX_PATH } = process.env): string {
  const names = ['firefox', 'firefox-esr'];
  const found = FIREFOX_PATH ? [FIREFOX_PATH].find(isCommand) : findOnPath(names, PATH);
  if (found === undefined) throw new NotHere(`there is none of ${names.join(', ')}; FIREFOX_PATH may name one.`);
  return found;
}

/** Returns the command of nginx; undefined if there is none. */
export function findNginx({ PATH } = process.env): string | undefined {
  return findOnPath(['nginx'], `${PATH}:/usr/sbin`);
}

function findOnPath(names: readonly string[], path = ''): string | undefined {
  const places = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find(isCommand);
}

function isCommand(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
