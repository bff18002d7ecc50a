import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandLine, runCommand, UsageError, type Verdict } from '../../infra/commands/command.ts';
import { startLocalProcess } from '../harness/local-process.ts';
import { type Difference, differencesOf } from './difference.ts';
import { reasonFor } from './known.ts';
import { life } from './life.ts';
import { type ComparedReply, ComparedServer } from './server.ts';
import type { ScriptStep } from './step.ts';

const help = `Leads one flag, and all that surrounds it, through the same life on a running Unleash server and on a new server of ours, and
compares every reply: statuses, the shape of the bodies, and the values that should be the same. Ends with PASS, or with FAIL
and 1 when there is a difference that test/compare/known.ts gives no reason for.

  npm run compare -- --with URL --token TOKEN

  --with URL       an Unleash server, to which flags, a segment, tokens, users and the like are added and from which they are
                   removed; started with UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION=true
  --token TOKEN    an admin token of it, such as one of its INIT_ADMIN_API_TOKENS. To the personal token of an administrator it
                   answers some requests otherwise, such as 403 for an unknown project
  --only TEXT      print the differences of the steps whose title contains TEXT; all steps run
  --known          print the known differences with their reasons, too
  -h, --help       this text`;

const options = {
  with: { type: 'string' },
  token: { type: 'string' },
  only: { type: 'string', default: '' },
  known: { type: 'boolean', default: false },
} as const;

/** A server may show a change to SDKs only with its next look at the store. */
const settlingMs = 2_500;

async function compare({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const { with: url, token, only } = values;
  if (url === undefined || token === undefined) throw new UsageError('It needs --with and --token.');
  const run = randomBytes(4).toString('hex');
  const names = {
    flag: `flag-${run}`,
    parent: `parent-${run}`,
    segment: `segment-${run}`,
    tag: `tag-${run}`,
    variants: `variants-${run}`,
    type: `type-${run}`,
    field: `field-${run}`,
    strategyType: `strategy-${run}`,
  };
  await using local = await startLocalProcess({
    store: 'memory',
    environment: { INTEGRATION_ALLOWED_HOSTS: 'localhost' },
  });
  const theirs = new ComparedServer('Unleash', url, { ...names, 'admin token': token });
  const ours = new ComparedServer('Flagstaff', local.url, { ...names, 'admin token': local.token });

  let explained = 0;
  let unexplained = 0;
  for (const step of life) {
    if (step.settles) await sleep(settlingMs);
    const found = differencesBetween(await theirs.send(step), await ours.send(step), step, { run, theirs, ours });
    for (const difference of found) {
      const reason = reasonFor(step.title, difference);
      if (reason === undefined) unexplained += 1;
      else explained += 1;
      if (step.title.includes(only) && (reason === undefined || values.known)) print(step, difference, reason);
    }
  }
  return {
    passed: unexplained === 0,
    summary: `${life.length} steps, ${explained} known differences, ${unexplained} others.`,
  };
}

interface Both {
  readonly run: string;
  readonly theirs: ComparedServer;
  readonly ours: ComparedServer;
}

function differencesBetween(theirs: ComparedReply, ours: ComparedReply, step: ScriptStep, both: Both): Difference[] {
  if (theirs.status !== ours.status) {
    return [{ path: '', kind: 'status', theirs: textOf(theirs), ours: textOf(ours) }];
  }
  // The form of an error is one thing here and many there.
  if (theirs.status >= 400) return [];
  const part = (body: unknown) => ownPart(body, step.own ?? [], both.run);
  const found = differencesOf(
    { value: part(theirs.body), kept: both.theirs.kept },
    { value: part(ours.body), kept: both.ours.kept },
  );
  // A difference in one member of a list is reported once for all.
  return [...new Map(found.map((each) => [`${each.kind} ${each.path}`, each])).values()];
}

/** The body, with the named lists reduced to what this run has made; '' names the body itself. */
function ownPart(body: unknown, lists: readonly string[], run: string): unknown {
  const own = (list: unknown) =>
    Array.isArray(list)
      ? list
          .filter((each) => JSON.stringify(each).includes(run))
          .toSorted((a, b) => String(a?.name).localeCompare(String(b?.name)))
      : list;
  if (lists.includes('')) return own(body);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, lists.includes(key) ? own(value) : value]),
  );
}

function textOf({ status, body }: ComparedReply): string {
  return `${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`;
}

function print({ title }: ScriptStep, { path, kind, theirs, ours }: Difference, reason: string | undefined): void {
  const short = (value: unknown) => (value === undefined ? 'nothing' : `${JSON.stringify(value)}`.slice(0, 200));
  console.log(`${title}: ${kind}${path && ` at ${path}`}\n  Unleash   ${short(theirs)}\n  Flagstaff ${short(ours)}`);
  if (reason !== undefined) console.log(`  because   ${reason}`);
}

await runCommand({ name: 'compare', help, options, run: compare });
