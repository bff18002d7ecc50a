import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ComparedToken } from '../../../infra/commands/migration/compare/choose-tokens.ts';
import type { Address } from '../../harness/http-call.ts';
import { forward } from '../../harness/listening.ts';

/** A server that has moved to another, with the tokens of its SDKs. */
export interface MovedServer {
  readonly source: Address;
  readonly target: Address;
  readonly tokens: readonly ComparedToken[];
}

/**
 * Opens an address as applications know it, behind which the server changes: as a name whose DNS record moves. It ends with
 * the block that uses it.
 */
export async function openMovingAddress(first: string) {
  let behind = first;
  let answered = 0;
  const server = createServer((incoming, outgoing) => {
    const asked = behind;
    forward(incoming, outgoing, asked, () => {
      if (asked === behind) answered += 1;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Leads all requests from now on to another server. */
    moveTo(url: string) {
      behind = url;
      answered = 0;
    },
    /** Number of answers of the server to which it leads now. */
    get answered() {
      return answered;
    },
    async [Symbol.asyncDispose]() {
      // Requests under way are answered, so that no client that is stopping sees an error.
      server.close();
      await once(server, 'close');
    },
  };
}
