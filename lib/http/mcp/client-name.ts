import { randomUUID } from 'node:crypto';
import { shortenToLine } from '../../values/shorten-to-line.ts';
import type { RpcMessage } from './message-schema.ts';

/** The header with the id of a session: a client gets it with the answer to `initialize`, and sends it with each later message. */
export const sessionHeader = 'mcp-session-id';

/**
 * Returns the id of a session for a client that begins with `initialize`; undefined if it gives no name. The id contains the name, so that
 * no process has to remember it. The id gives no rights.
 */
export function writeSessionId({ params }: RpcMessage): string | undefined {
  const name = writeName(params?.clientInfo);
  return name === undefined ? undefined : `${randomUUID()}.${Buffer.from(name).toString('base64url')}`;
}

/** Returns the name and version of the client, from its message or from the id of its session; undefined if it gave none. */
export function readClientName({ params }: RpcMessage, sessionId: string | undefined): string | undefined {
  const inMessage = writeName(Object(params?._meta)['io.modelcontextprotocol/clientInfo']);
  const [, encoded] = /^[\w-]{36}\.([\w-]+)$/.exec(sessionId ?? '') ?? [];
  return inMessage ?? (encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString());
}

function writeName(clientInfo: unknown): string | undefined {
  const { name, version } = Object(clientInfo) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return undefined;
  return shortenToLine(typeof version === 'string' ? `${name} ${version}` : name);
}
