import { runCommand, type Verdict } from '../../infra/commands/command.ts';
import { startLocalProcess } from '../harness/local-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { secondsSince, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { proveOrSay } from './prove-or-say.ts';
import { proveInBrowser } from './sdks/browser.ts';
import { Flags } from './sdks/flags.ts';
import { proveSums } from './sdks/impact-metrics.ts';
import { proveNodeFallback, proveNodeSdk, proveNodeStreaming } from './sdks/node-sdk.ts';
import { proveOpenFeatureServer, proveOpenFeatureWeb } from './sdks/open-feature.ts';
import { proveFallbackOf, proveProviderOf, proveSdkOf, proveStreamingOf } from './sdks/other-languages.ts';
import { provePageSdk } from './sdks/page-sdk.ts';
import { proveEdge, proveEdgeRefusal } from './sdks/push/edge.ts';
import { proveRelays } from './sdks/push/relays.ts';
import { proveSignalsInBrowser, proveSignalsInNode } from './sdks/push/signalled-page.ts';
import { proveReactSnippet, proveSnippetOf, proveStreamingSnippetOf } from './sdks/snippets.ts';
import { type Workshop, workshopIn } from './sdks/tools.ts';

const help = `Proves that unmodified SDKs work against a fresh "npm start": each gets ready, has the right values, sees a change within
its interval and 1.2 seconds, has its metrics and impact metrics counted,
and says that its token is wrong. One that streams sees a change within
500 ms, goes on after a kill of the server without getting everything again, never sees an older value, and loses its stream
with its token. Ends with PASS, or with FAIL and 1 when a promise breaks.

The snippets of functions/client/README.md that npm test does not run are run as they stand.

Those of Node need nothing else. A browser (CHROME_PATH, or on the path), Python 3.10 with the package index, Java 17 with
Maven and its repository, Go with the proxy of its modules, the registry of npm for React, nginx, and Unleash Edge 20.1.0
(EDGE_PATH) are used where they are there; what could not be run is said.

  npm run prove:sdks                  all, in some 6 minutes
  npm run prove:sdks -- --quick       those of Node alone   (-h, --help: this text)`;

interface Proof {
  readonly title: string;
  /** The application that reports what its SDK has evaluated; the providers of OpenFeature report nothing. */
  readonly application?: string;
  prove(flags: Flags, workshop: Workshop): Promise<Promises>;
}

/** Returns the proof of an SDK that reports: it gets the name of its application. */
function reporting(
  title: string,
  application: string,
  prove: (flags: Flags, application: string, workshop: Workshop) => Promise<Promises>,
): Proof {
  return { title, application, prove: (flags, workshop) => prove(flags, application, workshop) };
}

/** Proofs that run one after the other: each looks at the same flags. */
const proofsOfNode: readonly Proof[] = [
  reporting('unleash-client, polling', 'prove-polling', (flags, name) => proveNodeSdk(flags, name, 'polling')),
  reporting('unleash-client, polling for changes', 'prove-delta', (flags, name) =>
    proveNodeSdk(flags, name, 'polling for changes'),
  ),
  reporting('unleash-proxy-client, GET', 'prove-get', (flags, name) => provePageSdk(flags, name, 'GET')),
  reporting('unleash-proxy-client, POST', 'prove-post', (flags, name) => provePageSdk(flags, name, 'POST')),
  { title: 'OpenFeature, server provider', prove: proveOpenFeatureServer },
  { title: 'OpenFeature, web provider', prove: proveOpenFeatureWeb },
  { title: 'unleash-client, streaming', prove: proveNodeStreaming },
  { title: 'unleash-client, without a stream', prove: proveNodeFallback },
  { title: 'OpenFeature, web provider with signals', prove: proveSignalsInNode },
];

/** Proofs that need more than Node. */
const otherProofs: readonly Proof[] = [
  reporting('Chromium, GET', 'prove-chromium-get', (flags, name) => proveInBrowser(flags, name, 'GET')),
  reporting('Chromium, POST', 'prove-chromium-post', (flags, name) => proveInBrowser(flags, name, 'POST')),
  { title: 'OpenFeature in Chromium with signals', prove: proveSignalsInBrowser },
  reporting('UnleashClient of Python', 'prove-python', proveSdkOf('Python')),
  { title: 'UnleashClient of Python, streaming', prove: proveStreamingOf('Python', { fallsBack: false }) },
  { title: 'OpenFeature, Python provider', prove: proveProviderOf('Python', null) },
  reporting('unleash-client-java', 'prove-java', proveSdkOf('Java')),
  { title: 'unleash-client-java, streaming', prove: proveStreamingOf('Java', { fallsBack: true }) },
  { title: 'unleash-client-java, without a stream', prove: proveFallbackOf('Java') },
  { title: 'OpenFeature, Java provider', prove: proveProviderOf('Java', 'FLAG_NOT_FOUND') },
  reporting('unleash-go-sdk', 'prove-go', proveSdkOf('Go')),
  { title: 'OpenFeature, Go provider', prove: proveProviderOf('Go', null) },
  { title: 'snippet of Python', prove: proveSnippetOf('Python') },
  { title: 'snippet of Java', prove: proveSnippetOf('Java') },
  { title: 'snippet of Go', prove: proveSnippetOf('Go') },
  { title: 'snippet of Node with streaming', prove: proveStreamingSnippetOf('Node') },
  { title: 'snippet of Python with streaming', prove: proveStreamingSnippetOf('Python') },
  { title: 'snippet of Java with streaming', prove: proveStreamingSnippetOf('Java') },
  { title: 'snippet of React', prove: proveReactSnippet },
  { title: 'two relays', prove: proveRelays },
  { title: 'Edge, streaming', prove: () => proveEdge('--streaming') },
  { title: 'Edge, polling for changes', prove: () => proveEdge('--delta') },
  { title: 'Edge, without a stream', prove: proveEdgeRefusal },
];

/** Interval at which the service stores its counts. */
const flushMs = 60_000;
const flushCheckMs = 5_000;

/** Proves that counts of SDKs show within a minute. */
async function proveMetrics(flags: Flags, applications: readonly string[]): Promise<Promises> {
  const promises = new Promises('metrics');
  for (const application of applications) {
    // That of Go has no impact metrics.
    if (application !== 'prove-go') await proveSums(promises, flags, application);
    const hasArrived = async () => (await flags.usesOf('plain', application)) > 0;
    await promises.within(flushMs + flushCheckMs, `those of ${application} arrive`, hasArrived);
  }
  return promises;
}

async function prove(isQuick: boolean): Promise<Verdict> {
  const start = performance.now();
  using folder = temporaryFolder();
  await using local = await startLocalProcess({ store: 'file' });
  const flags = new Flags(local);
  const workshop = workshopIn(folder.path);
  await flags.make();
  const all: Promises[] = [];
  const applications: string[] = [];
  let missing = 0;
  for (const proof of isQuick ? proofsOfNode : [...proofsOfNode, ...otherProofs]) {
    const promises = await proveOrSay(proof.title, () => proof.prove(flags, workshop));
    if (promises === undefined) missing += 1;
    else all.push(promises);
    if (promises !== undefined && proof.application !== undefined) applications.push(proof.application);
  }
  const count = all.length;
  all.push(await proveMetrics(flags, applications));
  const broken = all.flatMap((each) => each.broken);
  const promised = all.reduce((sum, each) => sum + each.count, 0);
  return verdictOn(
    broken,
    `${promised} promises to ${count} SDKs, ${broken.length} broken, in ${secondsSince(start)}; ${missing} SDKs could not be run here.`,
  );
}

await runCommand({
  name: 'prove:sdks',
  help,
  options: { quick: { type: 'boolean' } },
  run: ({ values }) => prove(values.quick === true),
});
