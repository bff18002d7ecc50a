import type { Declaration, LambdaHandler, Variable } from '../../lib/http/declaration.ts';
import { fallback, type OtherReply } from '../../lib/http/fallback.ts';
import { matcherOf, type RouteMatcher } from '../../lib/http/route-matcher.ts';
import { refuseStreaming } from '../../lib/http/streaming.ts';
import { consoleReply } from '../../lib/pages/console.ts';
import { notFoundPage } from '../../lib/pages/error-page.ts';
import { mailSender } from '../../lib/sign-in/send-mail.ts';

/** The environment variables that this function reads, in addition to those that every endpoint reads. */
export const reads: readonly Variable[] = ['CONSOLE_DIRECTORY', 'EMAIL_SENDER'];

const loadDeclarations = async () => Object.values(await import('../index.ts')).map(({ declaration }) => declaration);

/** Serves the console, if it was fetched or deployed. */
const serveConsole: OtherReply = async (path, { accept }) => {
  const { CONSOLE_DIRECTORY: directory } = process.env;
  if (!directory) return undefined;
  const first = path.split('/', 2).join('/');
  const isServicePath = async () =>
    (await loadDeclarations()).some((known) => `${known.path}/`.startsWith(`${first}/`));
  return consoleReply(directory, { path, accept, hasMail: mailSender() !== undefined }, isServicePath);
};

let matcher: RouteMatcher<Declaration> | undefined;

/** Loads the routes on the first request that needs them. */
async function loadMatcher(): Promise<RouteMatcher<Declaration>> {
  matcher ??= matcherOf(await loadDeclarations());
  return matcher;
}

/** Answers the requests that match no endpoint. It has no method and no path, so it is not in the registry. */
export const notFound: LambdaHandler = fallback(async (path) => (await loadMatcher()).allowOn(path), {
  other: serveConsole,
  normalPath: async (method, path) => (await loadMatcher()).find(method, path)?.path,
  refuse: refuseStreaming,
  errorPage: (error) => notFoundPage(error, Boolean(process.env.CONSOLE_DIRECTORY)),
});
