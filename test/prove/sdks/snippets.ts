import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import puppeteer from 'puppeteer-core';
import { runProcess, tail } from '../../rehearsal/processes.ts';
import { Promises } from '../promises.ts';
import type { Flags } from './flags.ts';
import { startSite } from './site.ts';
import { answered, snippetOf } from './snippet.ts';
import { buildGo, findChromium, installJava, installNpm, installPython, type Workshop } from './tools.ts';

const patienceMs = 60_000;
const reactPackages = [
  'react@19.3.1',
  'react-dom@19.3.1',
  '@unleash/proxy-client-react@5.1.0',
  'unleash-proxy-client@3.8.2',
];

/** Proves the snippet of Python in functions/client/README.md. */
export async function provePythonSnippet(flags: Flags, workshop: Workshop): Promise<Promises> {
  const python = await installPython(workshop);
  return provePrinted(flags, workshop, 'Python', (code) => [python, fileWith(workshop, 'shop.py', code)]);
}

/** Proves the snippet of Java. */
export async function proveJavaSnippet(flags: Flags, workshop: Workshop): Promise<Promises> {
  const classPath = join(await installJava(workshop), '*');
  const java = ['java', '-cp', classPath];
  return provePrinted(flags, workshop, 'Java', (code) => [...java, fileWith(workshop, 'Shop.java', code)]);
}

/** Proves the snippet of Go. */
export function proveGoSnippet(flags: Flags, workshop: Workshop): Promise<Promises> {
  return provePrinted(flags, workshop, 'Go', async (code) => [await buildGo(workshop, code)]);
}

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
  flags: Flags,
  { env }: Workshop,
  heading: string,
  commandOf: (code: string) => readonly string[] | Promise<readonly string[]>,
): Promise<Promises> {
  const promises = new Promises(`snippet of ${heading}`);
  const [command = '', ...args] = await commandOf(snippetOf(heading, flags.url, await flags.token('frontend')));
  const variables = { ...env, APP_TOKEN: await flags.token('client') };
  const { stdout, output } = await runProcess(command, args, {
    env: variables,
    signal: AbortSignal.timeout(patienceMs),
  });
  promises.hold('prints its flags', stdout.trimEnd().endsWith(answered), tail(output, 5));
  return promises;
}

function fileWith({ directory }: Workshop, name: string, code: string): string {
  const file = join(mkdtempSync(join(directory, 'snippet-')), name);
  writeFileSync(file, code);
  return file;
}
