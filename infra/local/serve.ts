import { isIP } from 'node:net';
import * as registry from '../../functions/index.ts';
import { notFound } from '../../functions/service/not-found.ts';
import { ApiError } from '../../lib/errors.ts';
import { keepSpareEventIds } from '../../lib/events/event-ids.ts';
import { type Endpoint, isOfSdks } from '../../lib/http/declaration.ts';
import { fallback } from '../../lib/http/fallback.ts';
import { hostNameIn } from '../../lib/http/local/host.ts';
import { type LocalServer, startLocalServer } from '../../lib/http/local/local-server.ts';
import { matcherOf } from '../../lib/http/route-matcher.ts';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import type { Seed } from '../../lib/imports/seed/seed-data.ts';
import { createEnvironmentRequest, type Request } from '../../lib/request.ts';
import { giveFirstPassword, randomPassword } from '../../lib/sign-in/first-admin.ts';
import { isCloud } from '../../lib/store/client/network.ts';
import { createTable } from '../../lib/store/client/tables.ts';
import * as keys from '../../lib/store/keys.ts';
import { readItem } from '../../lib/store/read.ts';
import { flushUsage, flushUsageIfDue } from '../../lib/usage/register-usage.ts';
import { isLoopback } from '../../lib/values/web-address.ts';
import { findConsole } from '../console/release.ts';
import { describeError, Problem, problemsIn } from '../problem.ts';
import { acceptLocalToken, removeWellKnown } from './local-token.ts';
import { RequestLines } from './request-lines.ts';
import { say } from './say.ts';
import type { LocalSettings } from './settings.ts';
import { warn } from './warn.ts';
import { urlOf } from './welcome.ts';

/** The endpoints that a relay serves besides those of SDKs: the ones that a load balancer calls. */
const ofRelays: readonly unknown[] = [registry.getHealth, registry.getReady];

function endpointsFor({ isRelay }: LocalSettings): Readonly<Record<string, Endpoint>> {
  const all: readonly [string, Endpoint][] = Object.entries(registry);
  const served = all.filter(([, each]) => !isRelay || isOfSdks(each.declaration) || ofRelays.includes(each));
  return Object.fromEntries(served);
}

/**
 * Makes the store ready: the table, what a fresh one holds, and the tokens. A table at AWS has to be there; a relay makes
 * nothing.
 * @returns true where the insecure token is accepted.
 * @throws Problem when the seed file is bad, before anything is written, or when the store cannot be reached.
 */
export async function openLocalStore(settings: LocalSettings, endpoint: string): Promise<boolean> {
  // The functions open their table as they do in Lambda: by what the environment says.
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: endpoint,
    TABLE_NAME: settings.tableName,
    PUBLIC_URL: settings.publicUrl ?? '',
    LOG_LEVEL: settings.logLevel,
    LOG_FORMAT: settings.logFormat,
    INTEGRATION_ALLOWED_HOSTS: settings.integrationHosts.join(','),
    CONSOLE_DIRECTORY: (!settings.isRelay && findConsole()) || '',
  });
  const table = createEnvironmentRequest();
  const { adminTokens = [], clientTokens, backendTokens, frontendTokens } = settings;
  const seed = settings.seedFile === undefined ? undefined : await readSeed(settings.seedFile);
  try {
    // In Amazon's cloud the stack makes the table, and a name that nobody deployed is a slip.
    if (settings.isRelay) {
      await requireSeeded(table);
      return await acceptLocalToken(table, settings, endpoint);
    }
    if (isCloud(endpoint)) await readItem(table, keys.seeded());
    else await createTable(table);
    const wasFresh = await prepareStore(table, { seed, adminTokens, clientTokens, backendTokens, frontendTokens });
    if (seed !== undefined && !wasFresh) {
      say(`The store is not empty, so SEED_FILE is ignored; "npm run seed -- ${settings.seedFile}" adds to it.`);
    }
    await removeWellKnown(table, settings, endpoint);
    return await acceptLocalToken(table, settings, endpoint);
  } catch (error) {
    if (seed !== undefined && isBadSeed(error)) throw problemsIn(`SEED_FILE ${settings.seedFile}`, error);
    if (error instanceof ApiError && error.name === 'NotFoundError') throw toTokenProblem(error);
    throw new Problem(`The store at ${endpoint} cannot be used: ${reasonOf(error, table.store.name)}`);
  }
}

async function requireSeeded(table: Request): Promise<void> {
  if ((await readItem(table, keys.seeded())) !== undefined) return;
  throw new Error(`the table "${table.store.name}" is empty; start or deploy the service first that it belongs to.`);
}

/**
 * Gives the first administrator the password of the settings or, except in a table at AWS, one that is made up.
 * @returns one that was made up: nobody else knows it, so that a start which may still fail must not ask for it.
 */
export async function addFirstPassword(
  { adminPassword, isRelay }: LocalSettings,
  endpoint: string,
): Promise<string | undefined> {
  if (isRelay || (adminPassword === undefined && isCloud(endpoint))) return undefined;
  const password = adminPassword ?? randomPassword();
  const isGiven = await giveFirstPassword(createEnvironmentRequest(), password, adminPassword === undefined);
  return isGiven && adminPassword === undefined ? password : undefined;
}

function reasonOf(error: unknown, tableName: string): string {
  const isMissing = error instanceof Error && error.name === 'ResourceNotFoundException';
  return isMissing
    ? `there is no table "${tableName}"; deploy the stack first, or correct TABLE_NAME.`
    : describeError(error);
}

async function readSeed(file: string): Promise<Seed> {
  const { readSeedFile } = await import('../read-seed-file.ts');
  try {
    const seed = await readSeedFile(file);
    for (const note of seed.notes) say(`SEED_FILE ${file}: ${note}`);
    return seed;
  } catch (error) {
    throw new Problem(`SEED_FILE ${describeError(error)}`);
  }
}

function isBadSeed(error: unknown): error is ApiError {
  return error instanceof ApiError && error.name === 'ValidationError';
}

/** Only the tokens of SDKs name what has to be there. */
function toTokenProblem({ details }: ApiError): Problem {
  const variables = 'INIT_CLIENT_API_TOKENS or INIT_FRONTEND_API_TOKENS';
  return new Problem(...details.map(({ message }) => `${variables} has a token that cannot be added: ${message}`));
}

/**
 * Tells whether the name in a `Host` header names this machine or one of its own network. A name that a stranger could
 * register, and point here, has a dot (RFC 7085).
 */
function isLocalName(name: string): boolean {
  return isLoopback(name) || /^[\w-]+$/.test(name);
}

/**
 * Tells whether requests to a host name are served. A web page whose name was pointed here has a name with a dot, never
 * an address. A relay has nothing that a page could get at by it, and gets its names only where they matter.
 */
function servesHost({ host, allowedHosts, publicUrl, isRelay }: LocalSettings, name: string): boolean {
  if (isLocalName(name) || allowedHosts.includes(name)) return true;
  if (publicUrl !== undefined && hostNameIn(new URL(publicUrl).host) === name) return true;
  return (!isLoopback(host) && isIP(name) !== 0) || (isRelay && allowedHosts.length === 0);
}

const usageCheckMs = 5_000;

/** The store takes our credentials no longer, say: nobody waits for it, and the server goes on. */
function warnOfFailure(error: unknown): void {
  warn('What SDKs have reported could not be written', error);
}

/**
 * Serves every function of the registry; a relay those of SDKs.
 * @throws Problem when the port is taken, or when this process may not listen there.
 */
export async function serve(settings: LocalSettings): Promise<LocalServer> {
  const { host, port, logFormat, logLevel } = settings;
  const lines = logFormat === 'text' && ['DEBUG', 'INFO'].includes(logLevel) ? new RequestLines() : undefined;
  const endpoints = endpointsFor(settings);
  const matcher = matcherOf(Object.values(endpoints).map(({ declaration }) => declaration));
  try {
    const server = await startLocalServer({
      endpoints,
      notFound: settings.isRelay ? fallback(async (path) => matcher.allowOn(path)) : notFound,
      host,
      port,
      servesHost: (name) => servesHost(settings, name),
      ...(lines && { onAnswered: (answered) => lines.add(answered) }),
    });
    if (isLoopback(host)) process.env.PUBLIC_URL ||= urlOf(host, server.port);
    const table = createEnvironmentRequest();
    keepSpareEventIds(table.store);
    const written = (write: typeof flushUsage) => write(table).catch(warnOfFailure);
    // In Lambda nothing happens between two requests; here what was counted need not wait for the next one.
    const timer = setInterval(() => void written(flushUsageIfDue), usageCheckMs).unref();
    return {
      port: server.port,
      async close() {
        await server.close();
        clearInterval(timer);
        await written(flushUsage);
        lines?.flush();
      },
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new Problem(
      code === 'EADDRINUSE'
        ? `PORT ${port} on ${host} is in use; stop what listens there, or set PORT to another one (0 takes any).`
        : `HOST ${host} with PORT ${port} cannot be opened: ${describeError(error)}`,
    );
  }
}
