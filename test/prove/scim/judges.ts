import { dirname, join } from 'node:path';
import { type Address, post, send } from '../../harness/http-call.ts';
import { startLocalProcess } from '../../harness/local-process.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { runProcess, tail } from '../../rehearsal/processes.ts';
import { secondsSince } from '../options.ts';
import { Promises } from '../promises.ts';
import { installPythonPackages, NotHere, type Workshop, workshopIn } from '../sdks/tools.ts';

const packages = ['scim2-tester==0.5.2', 'scim2-cli==0.6.0', 'scim-sanity==0.7.4'];
const judgeMs = 300_000;

/** A program of others that calls a service and judges whether it speaks SCIM. */
interface Judge {
  readonly title: string;
  readonly command: string;
  readonly args: (base: string, token: string) => readonly string[];
}

const probe = (title: string, more: readonly string[] = []): Judge => ({
  title,
  command: 'scim-sanity',
  args: (base, token) => ['probe', base, '--token', token, '--i-accept-side-effects', ...more],
});

const judges: readonly Judge[] = [
  { title: 'scim2-tester', command: 'scim2', args: (base) => ['--url', base, 'test'] },
  probe('scim-sanity'),
  probe('scim-sanity as Entra ID', ['--profile', 'entra', '--user-domain', 'example.com']),
];

/**
 * Has two judges that others wrote call a fresh `npm start` under both of its paths: each must report no failure. They are installed
 * from the Python Package Index into a temporary folder.
 * @returns the broken promises, and a line about what happened.
 */
export async function proveByJudges() {
  const start = performance.now();
  using folder = temporaryFolder();
  await using local = await startLocalProcess({ store: 'memory' });
  const { token } = (await send(local, post('/api/admin/scim-settings/generate-new-token', {}))) as { token: string };
  await send(local, post('/api/admin/scim-settings', { enabled: true }));
  const promises = new Promises('judges');
  try {
    const workshop = workshopIn(folder.path);
    const programs = dirname(await installPythonPackages(workshop, packages));
    for (const base of ['/scim', '/scim/v2']) {
      for (const judge of judges) await runJudge(promises, judge, { local, base, token, programs, workshop });
    }
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    return { broken: [], words: `the judges could not be run here: ${error.message}` };
  }
  return { broken: promises.broken, words: `${promises.count} verdicts of judges in ${secondsSince(start)}` };
}

interface Court {
  readonly local: Address;
  readonly base: string;
  readonly token: string;
  /** The folder of the installed programs. */
  readonly programs: string;
  readonly workshop: Workshop;
}

async function runJudge(promises: Promises, { title, command, args }: Judge, court: Court): Promise<void> {
  const { local, base, token, programs, workshop } = court;
  const env = { ...workshop.env, SCIM_CLI_HEADERS: `Authorization: Bearer ${token}` };
  const { code, output } = await runProcess(join(programs, command), args(`${local.url}${base}`, token), {
    env,
    signal: AbortSignal.timeout(judgeMs),
  });
  promises.hold(`${title} finds no failure at ${base}`, code === 0, tail(output, 40));
}
