import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type GenericSchema, is, safeParse } from 'valibot';
import * as registry from '../../functions/index.ts';
import { type ErrorStatus, errorStatuses } from '../../lib/errors.ts';
import { components } from '../../lib/http/components.ts';
import {
  type Declaration,
  type Endpoint,
  isConditional,
  routeOf,
  type SuccessStatus,
} from '../../lib/http/declaration.ts';
import type { Route } from '../../lib/http/local/router.ts';
import { rpcReply } from '../../lib/http/mcp/message-schema.ts';
import { errorStatusesOf } from '../../lib/http/openapi.ts';
import { formOf, makeSecret } from '../../lib/identity/tokens/token.ts';
import type { Seed } from '../../lib/imports/seed/seed-data.ts';
import { htmlType } from '../../lib/pages/page.ts';
import type { Request } from '../../lib/request.ts';
import { addInitTokens } from '../../lib/tokens/init-tokens.ts';
import { fillFresh } from './fresh-content.ts';
import { invoke, type Reply } from './gateway.ts';
import { logWatch } from './log-watch.ts';
import { freshTable } from './table.ts';
import { takeRequestLines } from './written-lines.ts';

export type { Reply } from './gateway.ts';

export interface CallOptions {
  /** The value of the authorization header; null for none. The service's admin token otherwise. */
  readonly token?: string | null;
  /** Sent as JSON, unless it is text or bytes, which are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole service in this process: real handlers with their chains, on a table of its own. */
export interface Service {
  readonly table: Request;
  readonly adminToken: string;
  call(method: string, target: string, options?: CallOptions): Promise<Reply>;
  get(target: string, options?: CallOptions): Promise<Reply>;
  post(target: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  put(target: string, body?: unknown, options?: CallOptions): Promise<Reply>;
}

for (const { declaration } of Object.values(registry)) logWatch.allow(routeOf(declaration));

/**
 * A service on a fresh store, with the given seed data besides what every store holds.
 * @param endpoint address of the store, if not that of the test run.
 */
export async function freshService(seed?: Seed, endpoint?: string): Promise<Service> {
  const table = await freshTable(endpoint);
  logWatch.keepTexts(seed?.entries.map(({ entry }) => entry));
  return callable(table, await fillFresh(table, seed));
}

/** A service on a store that is used as it stands. */
export async function serviceOn(table: Request): Promise<Service> {
  const adminToken = makeSecret('admin');
  await addInitTokens(table, { adminTokens: [adminToken] });
  return callable(table, adminToken);
}

function callable(table: Request, adminToken: string): Service {
  async function call(method: string, target: string, { token = adminToken, body, headers }: CallOptions = {}) {
    keepSecret(token, body, headers);
    keepTokensIn(target);
    // Handlers find their table by the environment, which other services in this process set for theirs.
    process.env.TABLE_NAME = table.store.name;
    const { answer, requestId, route } = await invoke({
      method,
      target,
      headers: { ...(token !== null && { authorization: token }), ...headers },
      body,
    });
    const { declaration } = route.handler as Partial<Endpoint>;
    if (method !== 'HEAD' && method !== 'OPTIONS') assertDocumented(answer, requestId, declaration);
    assertLogged(answer, requestId, route);
    return isScimError(answer) ? { ...answer, body: inCommonForm(answer, requestId) } : answer;
  }

  return {
    table,
    adminToken,
    call,
    get: (target, options) => call('GET', target, options),
    post: (target, body = {}, options) => call('POST', target, { ...options, body }),
    put: (target, body = {}, options) => call('PUT', target, { ...options, body }),
  };
}

/** Nothing of what is sent may be in the log. */
function keepSecret(token: string | null, body: unknown, headers: CallOptions['headers']): void {
  if (token !== null) logWatch.keepToken(token);
  if (headers?.authorization !== undefined) logWatch.keepToken(headers.authorization);
  logWatch.keepTexts([headers, Buffer.isBuffer(body) ? body.toString() : body]);
}

/** Nor may the tokens that a path names. */
function keepTokensIn(target: string): void {
  for (const part of target.split(/[/?&=]/)) {
    const text = unescaped(part);
    if (formOf(text) !== undefined) logWatch.keepToken(text);
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Holds every answer of every test against what its endpoint declares, with Node's own assertions: there are many. */
function assertDocumented(answer: Reply, requestId: string, declaration: Declaration | undefined): void {
  const { status, headers, body, text } = answer;
  equal(headers['x-request-id'], requestId);
  if (status >= 400) {
    if (declaration !== undefined)
      ok(errorStatusesOf(declaration).includes(status as ErrorStatus), `${status} is not among the declared "errors"`);
    if (isErrorPage(answer, declaration)) {
      ok(text.includes(`<code>${requestId}</code>`), text);
      return;
    }
    // A mistake in a message of MCP has the form of its protocol.
    if (declaration?.protocol === 'MCP' && is(rpcReply, body)) return;
    if (isScimError(answer)) {
      ok(is(components.ScimError, body), text);
      equal(body.status, String(status));
      return;
    }
    ok(is(components.Error, body), text);
    equal(body.id, requestId);
    equal(errorStatuses[body.name as keyof typeof errorStatuses], status);
    ok(body.details.length > 0, text);
  } else if (isCsv(answer, declaration)) {
    match(headers.vary ?? '', /accept/);
  } else {
    const isUnchanged = status === 304 && declaration !== undefined && isConditional(declaration);
    const schema = isUnchanged ? null : declaration?.responses[status as SuccessStatus];
    ok(schema !== undefined, `an undeclared status ${status}`);
    if (schema === null) {
      equal(text, '');
    } else {
      const { issues, output } = safeParse(schema as GenericSchema, body);
      equal(issues, undefined);
      // A schema drops what it does not know, so an answer with a property too many differs from what is left of it.
      deepEqual(body, output, `the schema of the reply does not know all of ${text}`);
    }
  }
  const type = status >= 400 ? undefined : declaration?.contentType;
  if (text !== '' && type !== 'text/*' && !isCsv(answer, declaration)) {
    equal(headers['content-type'], type ?? 'application/json; charset=utf-8');
  }
}

/** Tells whether a reply is the page of an error, for operations that show one to a person at a browser. */
function isErrorPage({ headers }: Reply, declaration: Declaration | undefined): boolean {
  return declaration?.errorPage !== undefined && headers['content-type'] === htmlType;
}

/** Tells whether a reply is an error of SCIM, whose clients refuse the properties that other errors have. */
function isScimError({ status, headers }: Reply): boolean {
  return status >= 400 && headers['content-type'] === 'application/scim+json';
}

/** Returns an error of SCIM with the properties of other errors, so that the tests of all operations need not know of it. */
function inCommonForm({ status, body }: Reply, id: string): object | undefined {
  if (body === undefined) return undefined;
  const name = Object.entries(errorStatuses).find(([, each]) => each === status)?.[0];
  const details = body.detail.split('\n').map((message: string) => {
    const [, path] = /^([\w.]+): /.exec(message) ?? [];
    return { message, ...(path && { path }) };
  });
  return { ...body, id, name, message: body.detail, details };
}

/** Tells whether a reply is CSV, for operations that send it to those who ask for it. */
function isCsv({ headers }: Reply, declaration: Declaration | undefined): boolean {
  return declaration?.csv === true && headers['content-type'] === 'text/csv; charset=utf-8';
}

/** Holds the log to a line for every answer of every test. */
function assertLogged({ status, body }: Reply, requestId: string, { routeKey }: Route): void {
  const [line, ...others] = takeRequestLines(requestId);
  equal(others.length, 0);
  const error = (status >= 400 ? body?.name : undefined) ?? line?.error;
  deepEqual({ ...line, requestId, route: routeKey, status, error }, { ...line, error: line?.error });
}
