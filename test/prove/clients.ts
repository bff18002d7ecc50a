import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, UsageError, type Verdict } from '../../infra/commands/command.ts';
import { get, post, send } from '../harness/http-call.ts';
import { type LocalProcess, startLocalProcess } from '../harness/local-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { root } from '../rehearsal/environment.ts';
import { runProcess, tail } from '../rehearsal/processes.ts';
import { type Generator, generators, steps } from './clients/generators.ts';
import { secondsSince, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { proveOrSay } from './prove-or-say.ts';
import { type Workshop, workshopIn } from './sdks/tools.ts';

const titles = generators.map(({ title }) => title).join('\n  ');

const help = `Proves that clients which others generate from the OpenAPI document work: each generator takes /docs/openapi.json of a fresh
"npm start", the client compiles with the strict compiler of its language, and six calls with it have the right values:
create a feature, add a strategy, switch it on, read it, list projects, archive it. Ends with PASS, or with FAIL and 1 when
a promise breaks.

  ${titles}

The generators are fetched at fixed versions into node_modules/.cache/clients, where they stay. They need Java 17 with Maven,
Go and Python 3.10, and the registries of npm, Maven, Go and Python; what could not be run is said.

  npm run prove:clients                        all, in some 6 minutes
  npm run prove:clients -- --only oapi         those whose names have the word   (-h, --help: this text)`;

/** Most time of a command: a compiler may have two thousand files to read on a busy machine. */
const commandMs = 15 * 60_000;

async function prove(only: string): Promise<Verdict> {
  const chosen = generators.filter(({ title }) => title.includes(only));
  if (chosen.length === 0) throw new UsageError(`--only takes a part of a name, which "${only}" is not.`);
  const start = performance.now();
  const cache = join(root, 'node_modules', '.cache', 'clients');
  mkdirSync(cache, { recursive: true });
  using temporary = temporaryFolder();
  const { env, ...place } = workshopIn(cache);
  const workshop = { ...place, env: { ...env, TMPDIR: temporary.path } };
  await using local = await startLocalProcess({ store: 'file' });
  // So that a reply has a union: owners are users, groups or the service.
  await send(local, post('/api/admin/projects/default/access', { roles: [ownerRole], groups: [], users: [admin] }));
  const all: Promises[] = [];
  for (const generator of chosen) {
    const promises = await proveOrSay(generator.title, () => proveGenerator(generator, workshop, local));
    if (promises !== undefined) all.push(promises);
  }
  const broken = all.flatMap((promises) => promises.broken);
  const missing = chosen.length - all.length;
  const verdict = verdictOn(
    broken,
    `${all.length} generated clients, ${broken.length} promises broken, in ${secondsSince(start)}; ${missing} could not be run here.`,
  );
  return { ...verdict, passed: verdict.passed && all.length > 0 };
}

/** The role Owner, and the user that a new service has. */
const ownerRole = 4;
const admin = 1;

async function proveGenerator(generator: Generator, workshop: Workshop, local: LocalProcess): Promise<Promises> {
  using folder = temporaryFolder(workshop.directory);
  const promises = new Promises(generator.title);
  const commandsIn = await generator.fetch(workshop);
  const document = join(folder.path, 'openapi.json');
  writeFileSync(document, JSON.stringify(await send(local, get('/docs/openapi.json'))));
  const commands = commandsIn(folder.path, document);
  const feature = `made-by-${generator.title.replaceAll(/[^a-z]+/g, '-')}`;
  let printed = '';
  for (const step of steps) {
    for (const [command, ...args] of commands[step]) {
      const all = step === 'run' ? [...args, local.url, local.token, feature] : args;
      const options = { env: workshop.env, signal: AbortSignal.timeout(commandMs) };
      const { code, stdout, output } = await runProcess(command, all, options);
      promises.hold(`${step}: ${[command, ...args].join(' ')}`, code === 0, tail(output, 20));
      if (code !== 0) return promises;
      printed = stdout;
    }
  }
  await proveCalls(promises, local, feature, JSON.parse(printed) as Record<string, unknown>);
  return promises;
}

/** Proves that a client has read what it has written, and that the service has what it has done. */
async function proveCalls(promises: Promises, local: LocalProcess, feature: string, printed: Record<string, unknown>) {
  const wanted = {
    created: [feature, 'experiment', 'Generated'],
    strategy: ['50', ['NZ', 'AU']],
    on: ['development'],
    owners: ['admin'],
    archived: 202,
  };
  for (const [what, value] of Object.entries(wanted)) promises.same(what, printed[what], value);
  const archive = (await send(local, get('/api/admin/archive/features'))) as { features: { name: string }[] };
  promises.hold(
    'is archived',
    archive.features.some(({ name }) => name === feature),
    archive.features,
  );
}

await runCommand({
  name: 'prove:clients',
  help,
  options: { only: { type: 'string', default: '' } },
  run: ({ values }) => prove(values.only),
});
