import { randomUUID } from 'node:crypto';
import { shortenToLine } from '../../values/shorten-to-line.ts';
import type { RpcMessage } from './message-schema.ts';
import type { HeaderOf } from './revision.ts';

/** The header that a client of a revision with a handshake gets with the answer to `initialize`, and sends with each later message. */
export const sessionHeader = 'mcp-session-id';

/**
 * Returns the id of a session for a client that has just given its name; undefined without a name. The id contains the name, so that no
 * process has to remember it. It gives no rights.
 */
export function writeSessionId({ params }: RpcMessage): string | undefined {
  const name = writeName(params?.clientInfo);
  return name === undefined ? undefined : `${randomUUID()}.${Buffer.from(name).toString('base64url')}`;
}

/** Returns the name and version that the client gave to itself, in this message or before; undefined if it gave none. */
export function readClientName({ params }: RpcMessage, headerOf: HeaderOf): string | undefined {
  const inMessage = writeName(Object(params?._meta)['io.modelcontextprotocol/clientInfo']);
  const [, encoded] = /^[\w-]{36}\.([\w-]+)$/.exec(headerOf(sessionHeader) ?? '') ?? [];
  return inMessage ?? (encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString());
}

function writeName(clientInfo: unknown): string | undefined {
  const { name, version } = Object(clientInfo) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return undefined;
  return shortenToLine(typeof version === 'string' ? `${name} ${version}` : name);
}
