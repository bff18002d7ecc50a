import { existsSync } from 'node:fs';
import type { Declaration, LambdaHandler, Variable } from '../../lib/http/declaration.ts';
import { fallback, type OtherReply } from '../../lib/http/fallback.ts';
import { refuseStreaming } from '../../lib/http/refuse-streaming.ts';
import { matcherOf, type RouteMatcher } from '../../lib/http/route-matcher.ts';
import { buildName } from '../../lib/http/version.ts';
import { type ConsoleKind, consoleReply } from '../../lib/pages/console.ts';
import { type ConsoleChoice, consoleChoices } from '../../lib/pages/console-choice.ts';
import { notFoundPage } from '../../lib/pages/error-page.ts';
import { flagstaffConsole } from '../../lib/pages/flagstaff-console.ts';
import { adviseOnMissingConsole } from '../../lib/pages/missing-console.ts';
import { pageReply } from '../../lib/pages/page.ts';
import { startPage } from '../../lib/pages/start-page.ts';
import { unleashConsole } from '../../lib/pages/unleash-console.ts';
import { mailSender } from '../../lib/sign-in/send-mail.ts';

/** The environment variables that this function reads, in addition to those that every endpoint reads. */
export const reads: readonly Variable[] = ['CONSOLE', 'CONSOLE_DIRECTORY', 'EMAIL_SENDER', 'FLAGSTAFF_COMMIT'];

const kinds: Readonly<Record<ConsoleChoice, ConsoleKind | undefined>> = {
  flagstaff: flagstaffConsole,
  unleash: unleashConsole,
  off: undefined,
};

const readChoice = ({ CONSOLE } = process.env): ConsoleChoice =>
  consoleChoices.find((choice) => choice === CONSOLE) ?? 'off';

const loadDeclarations = async () => Object.values(await import('../index.ts')).map(({ declaration }) => declaration);

/** Serves the console that was chosen. Without one, the root has a page about the service. */
const serveConsole: OtherReply = async (path, headers) => {
  const { CONSOLE_DIRECTORY: directory } = process.env;
  const kind = kinds[readChoice()];
  if (kind === undefined || !directory) return path === '/' ? pageReply(200, startPage(buildName())) : undefined;
  const first = path.split('/', 2).join('/');
  const isServicePath = async () =>
    (await loadDeclarations()).some((known) => `${known.path}/`.startsWith(`${first}/`));
  const { accept, 'accept-encoding': acceptEncoding } = headers;
  const hasMail = mailSender() !== undefined;
  return consoleReply({ kind, directory, path, accept, acceptEncoding, hasMail }, isServicePath);
};

/** Returns false if none was chosen, or if it was not built or downloaded. */
function hasConsole({ CONSOLE_DIRECTORY: directory } = process.env): boolean {
  return readChoice() !== 'off' && Boolean(directory) && existsSync(String(directory));
}

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
  errorPage: (error) => notFoundPage(error, hasConsole() ? undefined : adviseOnMissingConsole(readChoice())),
});
