import type { Declaration, LambdaHandler, Variable } from '../../lib/http/declaration.ts';
import { fallback, type OtherReply } from '../../lib/http/fallback.ts';
import { matcherOf, type RouteMatcher } from '../../lib/http/route-matcher.ts';
import { refuseStreaming } from '../../lib/http/streaming.ts';
import { consoleReply } from '../../lib/pages/console.ts';
import { noConsolePage } from '../../lib/pages/no-console-page.ts';
import { htmlType } from '../../lib/pages/page.ts';

/** The variables of the environment that it reads, besides those that every endpoint does. */
export const reads: readonly Variable[] = ['CONSOLE_DIRECTORY'];

const declarations = async () => Object.values(await import('../index.ts')).map(({ declaration }) => declaration);

/** The console, where it was fetched or deployed, and how to get it where not. */
const consoleOrNone: OtherReply = async (path, { accept }) => {
  const { CONSOLE_DIRECTORY: directory } = process.env;
  if (!directory) {
    const page = noConsolePage(path, accept);
    return page && { status: 404, headers: { 'content-type': htmlType, ...page.headers }, text: page.html };
  }
  const first = path.split('/', 2).join('/');
  const ofService = async () => (await declarations()).some((each) => `${each.path}/`.startsWith(`${first}/`));
  return consoleReply(directory, { path, accept }, ofService);
};

let known: RouteMatcher<Declaration> | undefined;

/** Made by the first request that asks for it, and kept. */
async function matcher(): Promise<RouteMatcher<Declaration>> {
  known ??= matcherOf(await declarations());
  return known;
}

/** Answers the requests that no endpoint takes. It is not in the registry, since it has neither a method nor a path. */
export const notFound: LambdaHandler = fallback(async (path) => (await matcher()).allowOn(path), {
  other: consoleOrNone,
  normalPath: async (method, path) => (await matcher()).find(method, path)?.path,
  refuse: refuseStreaming,
});
