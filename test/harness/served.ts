import * as endpoints from '../../functions/index.ts';
import { notFound } from '../../functions/service/not-found.ts';
import { type AnsweredRequest, startLocalServer } from '../../lib/http/local/local-server.ts';

/** Serves the whole service of this process over HTTP, on a free port, until the block that uses it ends. */
export async function serveHere(onAnswered: (answered: AnsweredRequest) => void = () => {}) {
  const { port, close } = await startLocalServer({ endpoints, notFound, host: '127.0.0.1', port: 0, onAnswered });
  return { port, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
