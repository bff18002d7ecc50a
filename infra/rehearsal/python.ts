import { join } from 'node:path';
import { RehearsalProblem } from './problem.ts';
import { type ProcessOptions, runProcess, runWell, tail } from './processes.ts';

/** The first version that the programs run on which are installed here. */
const oldest = { major: 3, minor: 10 } as const;
const commands = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];

/**
 * The command of a Python that is new enough.
 * @throws RehearsalProblem that says what is missing on this machine.
 */
export async function findPython(options: ProcessOptions): Promise<string> {
  const found: string[] = [];
  for (const command of commands) {
    const version = await versionOf(command, options);
    if (version === undefined) continue;
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return command;
    found.push(`${command} is ${version}`);
  }
  const instead = found.length === 0 ? 'there is none here' : found.join(', ');
  throw new RehearsalProblem(
    `Python ${oldest.major}.${oldest.minor} or newer is needed; ${instead}. Install it (on Debian and Ubuntu: apt install python3 python3-venv) and try again.`,
  );
}

/**
 * Makes a Python environment of its own and installs packages in it.
 * @returns the folder of its commands.
 * @throws RehearsalProblem that says what is missing on this machine.
 */
export async function installPackages(
  python: string,
  requirements: readonly string[],
  directory: string,
  options: ProcessOptions,
): Promise<string> {
  const environment = join(directory, 'python');
  const made = await runProcess(python, ['-m', 'venv', environment], options);
  if (made.code !== 0) {
    throw new RehearsalProblem(
      `${python} has no pip to give to an environment of its own (on Debian and Ubuntu: apt install python3-venv):\n${tail(made.output, 10)}`,
    );
  }
  const bin = join(environment, 'bin');
  const flags = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-cache-dir'];
  const installed = await runProcess(join(bin, 'python'), ['-m', 'pip', 'install', ...flags, ...requirements], options);
  if (installed.code !== 0) {
    throw new RehearsalProblem(
      `pip cannot install ${requirements.join(' ')}; it needs the Python Package Index, or a mirror that PIP_INDEX_URL names:\n${tail(installed.output, 10)}`,
    );
  }
  return bin;
}

async function versionOf(command: string, options: ProcessOptions): Promise<string | undefined> {
  try {
    const { stdout } = await runWell(command, ['-c', 'import platform; print(platform.python_version())'], options);
    return stdout.trim();
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof RehearsalProblem) return undefined;
    throw error;
  }
}
