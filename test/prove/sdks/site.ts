import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a site on this machine, with files by path. It ends with the block that uses it. */
export async function startSite(
  files: Readonly<Record<string, readonly [type: string, content: string]>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ url = '' }, response) => {
    const [type, content] = files[url] ?? [];
    if (content === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
