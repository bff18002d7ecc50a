import { isIP } from 'node:net';
import * as registry from '../../functions/index.ts';
import { notFound } from '../../functions/service/not-found.ts';
import { type Activity, carryOut } from '../../lib/activities.ts';
import { ApiError } from '../../lib/errors.ts';
import { keepSpareEventIds } from '../../lib/events/event-ids.ts';
import { type Declaration, type Endpoint, isOfSdks, type LambdaHandler } from '../../lib/http/declaration.ts';
import { fallback } from '../../lib/http/fallback.ts';
import { hostNameIn } from '../../lib/http/local/host.ts';
import { type LocalServer, startLocalServer } from '../../lib/http/local/local-server.ts';
import { matcherOf } from '../../lib/http/route-matcher.ts';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import type { Seed } from '../../lib/imports/seed/seed-data.ts';
import type { ConsoleChoice } from '../../lib/pages/console-choice.ts';
import { createEnvironmentRequest, type Request } from '../../lib/request.ts';
import { giveFirstPassword, randomPassword } from '../../lib/sign-in/first-admin.ts';
import { isAwsEndpoint } from '../../lib/store/client/network.ts';
import { createTable } from '../../lib/store/client/tables.ts';
import * as keys from '../../lib/store/keys.ts';
import { readItem } from '../../lib/store/read.ts';
import { flushUsage, flushUsageIfDue } from '../../lib/usage/register-usage.ts';
import { isLoopback } from '../../lib/values/web-address.ts';
import { builtConsole } from '../console/console-files.ts';
import { findConsole } from '../console/release.ts';
import { describeError, Problem, problemsIn } from '../problem.ts';
import { withFreshConsole } from './fresh-console.ts';
import { acceptLocalToken, removeWellKnown } from './local-token.ts';
import { metricsEndpointFor } from './metrics/endpoint.ts';
import { impactEndpointFor } from './metrics/impact-endpoint.ts';
import { buildRequestCounter } from './metrics/request-counter.ts';
import { RequestLines } from './request-lines.ts';
import { say } from './say.ts';
import type { LocalSettings } from './settings.ts';
import type { Tracing } from './traces/tracing.ts';
import { warn } from './warn.ts';
import { urlOf } from './welcome.ts';

/** Further endpoints of a relay, which load balancers call. */
const relayEndpoints: readonly unknown[] = [registry.getHealth, registry.getReady];

function endpointsFor(settings: LocalSettings): Readonly<Record<string, Endpoint>> {
  const { isRelay } = settings;
  const all: readonly [string, Endpoint][] = Object.entries(registry);
  const served = all.filter(
    ([, served]) => !isRelay || isOfSdks(served.declaration) || relayEndpoints.includes(served),
  );
  return {
    ...Object.fromEntries(served),
    getMetrics: metricsEndpointFor(settings),
    printImpactMetrics: impactEndpointFor(settings),
  };
}

/**
 * Prepares the store: creates the table, its initial content and the tokens. A table at AWS must exist already, and a relay creates
 * nothing.
 * @returns true if the insecure token is accepted.
 * @throws Problem if the seed file is invalid, before anything is written, or if the store cannot be reached.
 */
export async function openLocalStore(settings: LocalSettings, endpoint: string): Promise<boolean> {
  // The functions open their table as in Lambda, from the environment.
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: endpoint,
    TABLE_NAME: settings.tableName,
    PUBLIC_URL: settings.publicUrl ?? '',
    LOG_LEVEL: settings.logLevel,
    LOG_FORMAT: settings.logFormat,
    INTEGRATION_ALLOWED_HOSTS: settings.integrationHosts.join(','),
    CONSOLE: settings.console,
    CONSOLE_DIRECTORY: findDirectoryOf(settings.console) ?? '',
  });
  const table = createEnvironmentRequest();
  const { adminTokens = [], clientTokens, backendTokens, frontendTokens } = settings;
  const seed = settings.seedFile === undefined ? undefined : await readSeed(settings.seedFile);
  try {
    // At AWS the stack creates the table, so an unknown name is a mistake.
    if (settings.isRelay) {
      await requireSeeded(table);
      return await acceptLocalToken(table, settings, endpoint);
    }
    if (isAwsEndpoint(endpoint)) await readItem(table, keys.seeded());
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

/** Returns the folder of a console; undefined if there is none, or if it was not fetched. Our own is built when a page is asked for. */
function findDirectoryOf(choice: ConsoleChoice): string | undefined {
  return { flagstaff: () => builtConsole, unleash: () => findConsole(), off: () => undefined }[choice]();
}

/** Returns the handler of paths without an endpoint. */
function handlerOfOthers({ isRelay, console }: LocalSettings, declarations: readonly Declaration[]): LambdaHandler {
  if (isRelay) {
    const matcher = matcherOf(declarations);
    return fallback(async (path) => matcher.allowOn(path));
  }
  return console === 'flagstaff' ? withFreshConsole(notFound) : notFound;
}

async function requireSeeded(table: Request): Promise<void> {
  if ((await readItem(table, keys.seeded())) !== undefined) return;
  throw new Error(`the table "${table.store.name}" is empty; first start or deploy the service that it belongs to.`);
}

/**
 * Sets the password of the first administrator: that of the settings, or a random one, except for a table at AWS.
 * @returns a random password. Nobody else knows it, so call this only when the start can no longer fail.
 */
export async function addFirstPassword(
  { adminPassword, isRelay }: LocalSettings,
  endpoint: string,
): Promise<string | undefined> {
  if (isRelay || (adminPassword === undefined && isAwsEndpoint(endpoint))) return undefined;
  const password = adminPassword ?? randomPassword();
  const wasSet = await giveFirstPassword(createEnvironmentRequest(), password, adminPassword === undefined);
  return wasSet && adminPassword === undefined ? password : undefined;
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

/** Describes a refused token of an SDK: only such tokens name projects and environments, which must exist. */
function toTokenProblem({ details }: ApiError): Problem {
  const variables = 'INIT_CLIENT_API_TOKENS or INIT_FRONTEND_API_TOKENS';
  return new Problem(...details.map(({ message }) => `${variables} has a token that cannot be added: ${message}`));
}

/**
 * Returns true if a name in a `Host` header is that of this machine or of one in its own network. A name that a stranger could
 * register, and point to this machine, contains a dot (RFC 7085).
 */
function isLocalName(name: string): boolean {
  return isLoopback(name) || /^[\w-]+$/.test(name);
}

/**
 * Returns true if requests to a host name are served. A web page whose name was pointed to this machine (DNS rebinding) sends a name
 * with a dot, never an address. A relay has nothing that such a page could abuse, so it checks names only if they are configured.
 */
function servesHost({ host, allowedHosts, publicUrl, isRelay }: LocalSettings, name: string): boolean {
  if (isLocalName(name) || allowedHosts.includes(name)) return true;
  if (publicUrl !== undefined && hostNameIn(new URL(publicUrl).host) === name) return true;
  return (!isLoopback(host) && isIP(name) !== 0) || (isRelay && allowedHosts.length === 0);
}

const usageCheckMs = 5_000;

/** The server continues, for example if the store no longer accepts its credentials: nobody waits for this write. */
function warnOfFailure(error: unknown): void {
  warn('Reports of SDKs could not be stored', error);
}

/**
 * Serves all functions of the registry, or those of SDKs if it is a relay, and the metrics of this process.
 * @throws Problem if the port is in use, or the process may not listen there.
 */
export async function serve(settings: LocalSettings, tracing?: Tracing): Promise<LocalServer> {
  const { host, port, logFormat, logLevel } = settings;
  const lines = logFormat === 'text' && ['DEBUG', 'INFO'].includes(logLevel) ? new RequestLines() : undefined;
  const endpoints = endpointsFor(settings);
  const declarations = Object.values(endpoints).map(({ declaration }) => declaration);
  const countRequest = buildRequestCounter(declarations);
  const trace = <H extends LambdaHandler>(handler: H) => tracing?.traceRequests(handler) ?? handler;
  try {
    const server = await startLocalServer({
      endpoints: Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, trace(endpoint)])),
      notFound: trace(handlerOfOthers(settings, declarations)),
      host,
      port,
      servesHost: (name) => servesHost(settings, name),
      onAnswered(answered) {
        countRequest(answered);
        lines?.add(answered);
      },
    });
    if (isLoopback(host)) process.env.PUBLIC_URL ||= urlOf(host, server.port);
    const table = createEnvironmentRequest();
    keepSpareEventIds(table.store);
    const reports: Activity = { kind: 'background work', name: 'reports' };
    const writeUsage = (write: typeof flushUsage) => carryOut(reports, () => write(table)).catch(warnOfFailure);
    // In Lambda nothing runs between two requests. Here, counts need not wait for the next request.
    const timer = setInterval(() => void writeUsage(flushUsageIfDue), usageCheckMs).unref();
    return {
      port: server.port,
      async close() {
        await server.close();
        clearInterval(timer);
        await writeUsage(flushUsage);
        lines?.flush();
      },
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new Problem(
      code === 'EADDRINUSE'
        ? `PORT ${port} on ${host} is in use. Stop the program that listens there, or set PORT to another port (0 for any free one).`
        : `HOST ${host} with PORT ${port} cannot be used: ${describeError(error)}`,
    );
  }
}
