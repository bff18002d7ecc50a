import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../harness/ports.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';
import { findNginx } from '../tools.ts';
import { tryToConnect } from './counting-proxy.ts';

const shipped = new URL('../../../../infra/hosting/nginx.conf', import.meta.url);
const startMs = 10_000;
const pauseMs = 50;

/**
 * Starts nginx in front of servers, with the configuration that we ship, but without TLS. It ends with the block that uses it.
 * @returns undefined if there is no nginx here.
 */
export async function startNginx(
  urls: readonly string[],
): Promise<(AsyncDisposable & { readonly url: string }) | undefined> {
  const command = findNginx();
  if (command === undefined) return undefined;
  const folder = temporaryFolder();
  const port = await freePort('127.0.0.1');
  const file = join(folder.path, 'nginx.conf');
  writeFileSync(file, configurationFor(urls, port, folder.path));
  const nginx = spawn(command, ['-c', file, '-p', folder.path], { stdio: ['ignore', 'ignore', 'inherit'] });
  const endWithUs = () => void nginx.kill();
  process.once('exit', endWithUs);
  await waitUntilItListens(nginx, port);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      nginx.kill();
      if (nginx.exitCode === null) await once(nginx, 'exit');
      process.off('exit', endWithUs);
      folder[Symbol.dispose]();
    },
  };
}

/** Returns a configuration with the shipped sites but the redirect to https, for one process without rights and without TLS. */
function configurationFor(urls: readonly string[], port: number, folder: string): string {
  const site = readFileSync(shipped, 'utf8')
    .replace(/^server \{\n {2}listen 80;.*?^\}\n/ms, '')
    .replace(/^ *(?:ssl_|listen \[).*\n/gm, '')
    .replace(/listen 443 .*;/, `listen 127.0.0.1:${port};`)
    .replace(/server 127\.0\.0\.1:4242;/, urls.map((url) => `server ${new URL(url).host};`).join(' '));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
events {}
http { access_log off; ${temporary.join(' ')}
${site}}
`;
}

async function waitUntilItListens(nginx: ChildProcess, port: number): Promise<void> {
  for (const end = performance.now() + startMs; performance.now() < end; await sleep(pauseMs)) {
    if (nginx.exitCode !== null) break;
    const socket = await tryToConnect(port, '127.0.0.1');
    socket?.destroy();
    if (socket !== undefined) return;
  }
  throw new Error('nginx does not start with the configuration of infra/hosting/nginx.conf.');
}
