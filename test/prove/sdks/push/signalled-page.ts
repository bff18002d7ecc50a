import { fileURLToPath } from 'node:url';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, type Provider } from '@openfeature/web-sdk';
import { build } from 'esbuild';
import puppeteer from 'puppeteer-core';
import { Promises } from '../../promises.ts';
import { startSite } from '../site.ts';
import { findChromium, NotHere } from '../tools.ts';
import { startKillableServer } from './killable-server.ts';
import { proveFlip } from './prove-flip.ts';
import { reconnectMs, revokedMs } from './streaming-sdk.ts';
import { watchValue } from './watch-value.ts';

/** The most time from a change to its effect: a provider waits for more signals before it evaluates again. */
const signalledMs = 1_000;
const startMs = 20_000;

/** A page with the provider of OpenFeature, which does not poll. It ends with the block that uses it. */
interface SignalledPage extends AsyncDisposable {
  isEnabled(flag: string): Promise<boolean>;
}

type StartPage<Page = SignalledPage> = (url: string, token: string) => Promise<Page>;

/**
 * Proves that a provider that does not poll sees a change within a second, never sees an older value, and loses its stream with its
 * token. After a kill of the server, it sees what changed before it connected again.
 */
async function proveSignals(title: string, start: StartPage): Promise<Promises> {
  const promises = new Promises(title);
  await using server = await startKillableServer();
  const { flags, proxy } = server;
  const token = await flags.token('frontend');
  await using page = await start(proxy.url, token);
  await promises.within(startMs, 'listens', () => proxy.countStreams() === 1);
  promises.same('plain', await page.isEnabled('plain'), true);
  const isSwitched = () => page.isEnabled('switched');
  await using history = watchValue(isSwitched);
  const flip = (milliseconds: number) => proveFlip(promises, flags, isSwitched, milliseconds);
  await flip(signalledMs);
  await flip(signalledMs);
  await server.restart();
  await flip(reconnectMs);
  await flip(signalledMs);
  promises.same('sees each value once, and none again', await history.end(), [false, true, false, true, false]);
  await flags.revoke(token);
  await promises.within(revokedMs, 'its stream ends with its token', () => proxy.countStreams() === 0);
  return promises;
}

/** Proves the provider on Node's own EventSource. */
export async function proveSignalsInNode(): Promise<Promises> {
  return proveSignals('OpenFeature, web provider with signals', startPageInNode);
}

/**
 * Starts the provider in this process.
 * @throws NotHere if Node was started without its EventSource.
 */
export const startPageInNode: StartPage<SignalledPage & { number(flag: string): Promise<number> }> = async (
  baseUrl,
  token,
) => {
  if (typeof EventSource === 'undefined')
    throw new NotHere('Node has an EventSource only with --experimental-eventsource.');
  const provider = new OFREPWebProvider({ baseUrl, headers: [['Authorization', token]] });
  await OpenFeature.setProviderAndWait(provider as unknown as Provider);
  const client = OpenFeature.getClient();
  return {
    isEnabled: async (flag) => client.getBooleanValue(flag, false),
    number: async (flag) => client.getNumberValue(flag, 0),
    [Symbol.asyncDispose]: () => OpenFeature.close(),
  };
};

/** A page that starts the provider when it is told to. */
const pageScript = `
  import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
  import { OpenFeature } from '@openfeature/web-sdk';
  window.start = async (baseUrl, token) => {
    await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers: [['Authorization', token]] }));
    window.client = OpenFeature.getClient();
  };`;

/**
 * Proves the provider in a real browser, in a page of another site than the service.
 * @throws NotHere if there is no browser.
 */
export async function proveSignalsInBrowser(): Promise<Promises> {
  const executablePath = findChromium();
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  const stdin = { contents: pageScript, resolveDir };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, logLevel: 'silent' });
  await using site = await startSite({
    '/': ['text/html', '<!doctype html><script src="/page.js"></script>'],
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
  });
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return await proveSignals('OpenFeature in Chromium with signals', async (url, token) => {
      const page = await browser.newPage();
      await page.goto(site.url);
      await page.evaluate(`start(${JSON.stringify(url)}, ${JSON.stringify(token)})`);
      return {
        isEnabled: async (flag) => (await page.evaluate(`client.getBooleanValue('${flag}', false)`)) === true,
        [Symbol.asyncDispose]: () => page.close(),
      };
    });
  } finally {
    await browser.close();
  }
}
