import type { RpcMessage } from './message-schema.ts';
import { ProtocolError } from './protocol-error.ts';

/** The revision without a handshake: each request names its revision and its client. */
const statelessRevision = '2026-07-28';

/** The revisions that begin with `initialize`, the newest first. */
const [newestWithHandshake, ...olderWithHandshake] = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const revisionsWithHandshake: readonly string[] = [newestWithHandshake, ...olderWithHandshake];

export const supportedRevisions: readonly string[] = [statelessRevision];

const metaOf = (name: string) => `io.modelcontextprotocol/${name}`;
export const serverInfoKey = metaOf('serverInfo');

/** Returns a header of the request by its lowercase name. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Tells whether a message is of the stateless revision, in which a request names it.
 * @throws ProtocolError if a header contradicts the message, or for an unknown revision.
 */
export function isStateless(message: RpcMessage, headerOf: HeaderOf): boolean {
  const meta = Object(message.params?._meta) as Readonly<Record<string, unknown>>;
  const inBody = meta[metaOf('protocolVersion')];
  const inHeader = headerOf('mcp-protocol-version');
  if (inBody === undefined) {
    // Clients of the first revision over HTTP send no such header.
    if (inHeader === undefined || revisionsWithHandshake.includes(inHeader)) return false;
    if (message.method === 'initialize') return false;
    if (inHeader === statelessRevision) throw mismatch('MCP-Protocol-Version', inHeader, inBody);
    throw buildRevisionError(inHeader);
  }
  if (inHeader !== inBody) throw mismatch('MCP-Protocol-Version', inHeader, inBody);
  if (inBody !== statelessRevision) throw buildRevisionError(inBody);
  assertHeader(headerOf, 'Mcp-Method', message.method);
  if (message.method === 'tools/call') assertHeader(headerOf, 'Mcp-Name', message.params?.name);
  if (typeof meta[metaOf('clientCapabilities')] !== 'object') {
    const name = metaOf('clientCapabilities');
    throw new ProtocolError('invalidParams', `params._meta must have "${name}".`, { status: 400 });
  }
  return true;
}

/** Returns the revision for a client with a handshake: the requested one, or the newest one that there is here. */
export function negotiateRevision(requested: unknown): string {
  const known = revisionsWithHandshake.find((revision) => revision === requested);
  return known ?? newestWithHandshake;
}

function assertHeader(headerOf: HeaderOf, name: string, inBody: unknown): void {
  const inHeader = decodeHeader(headerOf(name.toLowerCase()));
  if (inHeader !== inBody) throw mismatch(name, inHeader, inBody);
}

/** Decodes a value that a client has encoded because a header cannot contain it. */
function decodeHeader(value: string | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

function mismatch(name: string, inHeader: string | undefined, inBody: unknown): ProtocolError {
  const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100));
  const message = `The header ${name} has ${show(inHeader)}, but the body has ${show(inBody)}.`;
  return new ProtocolError('headerMismatch', message, { status: 400 });
}

function buildRevisionError(requested: unknown): ProtocolError {
  const data = { supported: supportedRevisions, requested };
  return new ProtocolError('unsupportedVersion', 'Unsupported protocol version', { status: 400, data });
}
