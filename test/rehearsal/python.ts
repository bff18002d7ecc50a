import { join } from 'node:path';
import { type ProcessOptions, RehearsalProblem, runOrThrow, runProcess, tail } from './processes.ts';

/** The oldest version that the installed programs support. */
const oldest = { major: 3, minor: 10 } as const;
const commands = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];

/**
 * Returns the command of a Python that is new enough.
 * @throws RehearsalProblem that says what to install.
 */
export async function findPython(options: ProcessOptions): Promise<string> {
  const tooOld: string[] = [];
  for (const command of commands) {
    const version = await versionOf(command, options);
    if (version === undefined) continue;
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return command;
    tooOld.push(`${command} is ${version}`);
  }
  const versions = tooOld.length === 0 ? 'no Python is installed' : tooOld.join(', ');
  throw new RehearsalProblem(
    `Python ${oldest.major}.${oldest.minor} or newer is needed, but ${versions}. Install it (on Debian and Ubuntu: apt install python3 python3-venv) and try again.`,
  );
}

/**
 * Creates a virtual environment of Python and installs packages into it.
 * @returns the folder of its commands.
 * @throws RehearsalProblem that says what is missing.
 */
export async function installPackages(
  python: string,
  requirements: readonly string[],
  directory: string,
  options: ProcessOptions,
): Promise<string> {
  const environment = join(directory, 'python');
  const creation = await runProcess(python, ['-m', 'venv', environment], options);
  if (creation.code !== 0) {
    throw new RehearsalProblem(
      `${python} cannot create a virtual environment (on Debian and Ubuntu: apt install python3-venv):\n${tail(creation.output, 10)}`,
    );
  }
  const bin = join(environment, 'bin');
  const flags = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-cache-dir'];
  const installation = await runProcess(
    join(bin, 'python'),
    ['-m', 'pip', 'install', ...flags, ...requirements],
    options,
  );
  if (installation.code !== 0) {
    throw new RehearsalProblem(
      `pip cannot install ${requirements.join(' ')}; it needs access to the Python Package Index, or to a mirror whose address is in PIP_INDEX_URL:\n${tail(installation.output, 10)}`,
    );
  }
  return bin;
}

async function versionOf(command: string, options: ProcessOptions): Promise<string | undefined> {
  try {
    const { stdout } = await runOrThrow(command, ['-c', 'import platform; print(platform.python_version())'], options);
    return stdout.trim();
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof RehearsalProblem) return undefined;
    throw error;
  }
}
