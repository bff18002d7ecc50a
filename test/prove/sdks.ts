import { runCommand, type Verdict } from '../../infra/commands/command.ts';
import { startLocalProcess } from '../bench/throughput/local-process.ts';
import { Flags } from './sdks/flags.ts';
import { proveOpenFeatureServer, proveOpenFeatureWeb } from './sdks/open-feature.ts';
import { provePageSdk } from './sdks/page-sdk.ts';
import { Promises } from './sdks/promises.ts';
import { proveServerSdk } from './sdks/server-sdk.ts';

const help = `Proves that unmodified SDKs work against a fresh "npm start": each gets ready, has the right values, sees a change within
its interval and 1.2 seconds, has its metrics counted, and says that its token is wrong. Ends with PASS, or with FAIL and
1 when a promise breaks.

  npm run prove:sdks     (-h, --help: this text)`;

/** Every SDK, one after the other: each looks at the same flags. */
const sdks: readonly ((flags: Flags) => Promise<Promises>)[] = [
  (flags) => proveServerSdk(flags, 'prove-polling', 'polling'),
  (flags) => proveServerSdk(flags, 'prove-streaming', 'streaming'),
  (flags) => provePageSdk(flags, 'prove-get', 'GET'),
  (flags) => provePageSdk(flags, 'prove-post', 'POST'),
  proveOpenFeatureServer,
  proveOpenFeatureWeb,
];

/** The applications whose SDKs report what they have evaluated. */
const reporting = ['prove-polling', 'prove-streaming', 'prove-get', 'prove-post'];

/** How often the service writes down what was counted. */
const flushMs = 60_000;
const flushCheckMs = 5_000;

/** What SDKs have counted shows a minute later at the latest. */
async function proveMetrics(flags: Flags): Promise<Promises> {
  const promises = new Promises('metrics');
  for (const application of reporting) {
    const hasArrived = async () => (await flags.usesOf('plain', application)) > 0;
    await promises.within(flushMs + flushCheckMs, `those of ${application} arrive`, hasArrived);
  }
  return promises;
}

async function prove(): Promise<Verdict> {
  const start = performance.now();
  await using local = await startLocalProcess({ store: 'memory' });
  const flags = new Flags(local.server);
  await flags.make();
  const all: Promises[] = [];
  for (const sdk of sdks) all.push(await sdk(flags));
  all.push(await proveMetrics(flags));
  const broken = all.flatMap((each) => each.broken);
  if (broken.length > 0) console.error(`Promises broke:\n\n${broken.join('\n')}\n`);
  const count = all.reduce((sum, each) => sum + each.count, 0);
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  return {
    passed: broken.length === 0,
    summary: `${count} promises to ${sdks.length} SDKs, ${broken.length} broken, in ${seconds} s.`,
  };
}

await runCommand({ name: 'prove:sdks', help, run: prove });
