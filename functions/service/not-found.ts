import type { Declaration, LambdaHandler, Variable } from '../../lib/http/declaration.ts';
import { fallback, type OtherReply } from '../../lib/http/fallback.ts';
import { matcherOf, type RouteMatcher } from '../../lib/http/route-matcher.ts';
import { refuseStreaming } from '../../lib/http/streaming.ts';
import { consoleReply } from '../../lib/pages/console.ts';
import { notFoundPage } from '../../lib/pages/error-page.ts';
import { mailSender } from '../../lib/sign-in/send-mail.ts';

/** The variables of the environment that it reads, besides those that every endpoint does. */
export const reads: readonly Variable[] = ['CONSOLE_DIRECTORY', 'EMAIL_SENDER'];

const declarations = async () => Object.values(await import('../index.ts')).map(({ declaration }) => declaration);

/** The console, where it was fetched or deployed. */
const consoleIfThere: OtherReply = async (path, { accept }) => {
  const { CONSOLE_DIRECTORY: directory } = process.env;
  if (!directory) return undefined;
  const first = path.split('/', 2).join('/');
  const ofService = async () => (await declarations()).some((each) => `${each.path}/`.startsWith(`${first}/`));
  return consoleReply(directory, { path, accept, hasMail: mailSender() !== undefined }, ofService);
};

let known: RouteMatcher<Declaration> | undefined;

/** Made by the first request that asks for it, and kept. */
async function matcher(): Promise<RouteMatcher<Declaration>> {
  known ??= matcherOf(await declarations());
  return known;
}

/** Answers the requests that no endpoint takes. It is not in the registry, since it has neither a method nor a path. */
export const notFound: LambdaHandler = fallback(async (path) => (await matcher()).allowOn(path), {
  other: consoleIfThere,
  normalPath: async (method, path) => (await matcher()).find(method, path)?.path,
  refuse: refuseStreaming,
  errorPage: (error) => notFoundPage(error, Boolean(process.env.CONSOLE_DIRECTORY)),
});
