import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import puppeteer from 'puppeteer-core';
import { runProcess, tail } from '../../rehearsal/processes.ts';
import { Promises } from '../promises.ts';
import type { Flags } from './flags.ts';
import { startKillableServer } from './push/killable-server.ts';
import { startSite } from './site.ts';
import { answered, snippetOf, streamingSnippetOf } from './snippet.ts';
import { buildGo, findChromium, installJava, installNpm, installPython, type Workshop } from './tools.ts';

const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const patienceMs = 60_000;
const reactPackages = [
  'react@19.3.1',
  'react-dom@19.3.1',
  '@unleash/proxy-client-react@5.1.0',
  'unleash-proxy-client@3.8.2',
];

type CommandOf = (code: string) => readonly string[] | Promise<readonly string[]>;

/** Commands that run a snippet, by its heading, each once all that it needs is installed. */
const commandsOf = {
  Node: async (workshop) => {
    const folder = mkdtempSync(join(workshop.directory, 'snippet-'));
    symlinkSync(nodeModules, join(folder, 'node_modules'));
    return (code) => [process.execPath, fileIn(folder, 'shop.mjs', code)];
  },
  Python: async (workshop) => {
    const python = await installPython(workshop);
    return (code) => [python, fileWith(workshop, 'shop.py', code)];
  },
  Java: async (workshop) => {
    const classPath = join(await installJava(workshop), '*');
    return (code) => ['java', '-cp', classPath, fileWith(workshop, 'Shop.java', code)];
  },
  Go: async (workshop) => async (code) => [await buildGo(workshop, code)],
} as const satisfies Readonly<Record<string, (workshop: Workshop) => Promise<CommandOf>>>;

/** Returns the proof of the snippet under a heading of functions/client/README.md. */
export const proveSnippetOf =
  (heading: 'Python' | 'Java' | 'Go') =>
  async (flags: Flags, workshop: Workshop): Promise<Promises> => {
    const promises = new Promises(`snippet of ${heading}`);
    const commandOf = await commandsOf[heading](workshop);
    const code = snippetOf(heading, flags.url, await flags.token('frontend'));
    await provePrinted(promises, flags, workshop, await commandOf(code));
    return promises;
  };

/** Returns the proof that a snippet streams, and does not poll, once streaming is switched on as the page says. */
export const proveStreamingSnippetOf =
  (heading: 'Node' | 'Python' | 'Java') =>
  async (_flags: Flags, workshop: Workshop): Promise<Promises> => {
    const promises = new Promises(`snippet of ${heading} with streaming`);
    const commandOf = await commandsOf[heading](workshop);
    await using server = await startKillableServer();
    const { flags, proxy } = server;
    const { url } = proxy;
    const code = heading === 'Python' ? snippetOf('Python with streaming', url, '') : streamingSnippetOf(heading, url);
    await provePrinted(promises, flags, workshop, await commandOf(code));
    promises.hold('streams', proxy.countHydrations() > 0);
    promises.same('never polls', proxy.countRequests('/api/client/features'), 0);
    return promises;
  };

/** Proves the snippet of React, in a real browser. */
export async function proveReactSnippet(flags: Flags, workshop: Workshop): Promise<Promises> {
  const promises = new Promises('snippet of React');
  const executablePath = findChromium();
  const folder = await installNpm(workshop, reactPackages);
  const { outputFiles } = await build({
    stdin: {
      contents: snippetOf('React', flags.url, await flags.token('frontend')),
      loader: 'jsx',
      resolveDir: folder,
    },
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    write: false,
  });
  const page = '<!doctype html><div id="root"></div><script type="module" src="/shop.js"></script>';
  await using site = await startSite({
    '/': ['text/html', page],
    '/shop.js': ['text/javascript', outputFiles[0]?.text ?? ''],
  });
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage();
    await tab.goto(site.url);
    const isShown = async () => (await tab.evaluate('document.body.textContent')) === answered;
    await promises.within(patienceMs, 'shows its flags', isShown);
  } finally {
    await browser.close();
  }
  return promises;
}

async function provePrinted(
  promises: Promises,
  flags: Flags,
  { env }: Workshop,
  [command = '', ...args]: readonly string[],
): Promise<void> {
  const variables = { ...env, APP_TOKEN: await flags.token('client') };
  const { stdout, output } = await runProcess(command, args, {
    env: variables,
    signal: AbortSignal.timeout(patienceMs),
  });
  promises.hold('prints its flags', stdout.trimEnd().endsWith(answered), tail(output, 5));
}

function fileWith({ directory }: Workshop, name: string, code: string): string {
  return fileIn(mkdtempSync(join(directory, 'snippet-')), name, code);
}

function fileIn(folder: string, name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}
