import { join } from 'node:path';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';
import { baseEnvironment } from '../../../rehearsal/environment.ts';
import { RehearsalProblem, runProcess, tail } from '../../../rehearsal/processes.ts';
import { findPython, installPackages } from '../../../rehearsal/python.ts';

const requirement = 'schemathesis==4.32.5';
const installMinutesMax = 2;

/**
 * Checks for promises of the service; it does not promise to accept every valid request, or to refuse every invalid
 * one.
 */
const checks = [
  ...['status_code', 'content_type', 'response_schema'].map((what) => `${what}_conformance`),
  ...['not_a_server_error', 'ignored_auth'],
];

export interface Question {
  readonly url: string;
  readonly token: string;
  readonly seed: number;
  /** Time limit. */
  readonly seconds: number;
}

/**
 * Lets Schemathesis, a tool of others, read the OpenAPI document and attack the server. It is installed into a Python
 * environment of its own, which is removed afterwards; if that fails, a message says so and the part is left out.
 * @returns its findings; undefined if there are none.
 */
export async function askSchemathesis({ url, token, seed, seconds }: Question): Promise<string | undefined> {
  using folder = temporaryFolder();
  const signal = AbortSignal.timeout((installMinutesMax * 60 + seconds * 2) * 1000);
  const options = { env: baseEnvironment(folder.path), signal };
  try {
    const python = await findPython(options);
    const bin = await installPackages(python, [requirement], folder.path, options);
    const flags = [
      ...['--checks', checks.join(','), '--phases', 'coverage,fuzzing', '--max-time', String(seconds)],
      // In maintenance every change is a 503, which Schemathesis takes for a server error.
      ...['--continue-on-failure', '--exclude-operation-id', 'toggleMaintenance'],
    ];
    const asked = ['run', `${url}/docs/openapi.json`, '-H', `Authorization: ${token}`, '--seed', String(seed)];
    // It keeps notes in the folder that it runs in, which are to go with the rest.
    const inDirectory = ['-c', 'cd "$0" && exec "$@"', folder.path, join(bin, 'schemathesis'), ...asked, ...flags];
    const { code, output } = await runProcess('sh', inDirectory, options);
    console.log(`Schemathesis:\n${tail(output, 12)}`);
    return code === 0 ? undefined : tail(output);
  } catch (error) {
    if (!(error instanceof RehearsalProblem) && !signal.aborted) throw error;
    console.log(`Schemathesis was left out, and with it what it would have sent: ${(error as Error).message}`);
    return undefined;
  }
}
