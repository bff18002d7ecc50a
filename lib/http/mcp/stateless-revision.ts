import { describeTool } from './describe-tool.ts';
import { handshakeRevisions } from './handshake-revisions.ts';
import type { RpcMessage } from './message-schema.ts';
import { ProtocolError } from './protocol-error.ts';
import {
  buildUnknownMethod,
  callTool,
  capabilities,
  type HeaderOf,
  type McpRequest,
  type McpServer,
  serverInfo,
} from './server.ts';

/** The revision of July 2026. It has no handshake: each request names its revision and its client. */
const statelessRevision = '2026-07-28';

/** The revisions that a request may name. */
const supportedVersions: readonly string[] = [statelessRevision];

/** The time for which a client may keep an answer that changes with releases only. It is for this client alone: the server can be switched off. */
const caching = { ttlMs: 5 * 60_000, cacheScope: 'private' };

/**
 * Answers a request of the stateless revision, with the parts that it requires of each result.
 * @throws ProtocolError for an unknown method or tool.
 */
export async function answerStateless(server: McpServer, message: RpcMessage, request: McpRequest): Promise<object> {
  const result = await buildResult(server, message, request);
  return { resultType: 'complete', ...result, _meta: { [metaOf('serverInfo')]: serverInfo } };
}

async function buildResult(
  { instructions, tools }: McpServer,
  message: RpcMessage,
  request: McpRequest,
): Promise<object> {
  switch (message.method) {
    case 'server/discover':
      return { supportedVersions, capabilities, instructions, ...caching };
    case 'tools/list':
      return { tools: tools.map(describeTool), ...caching };
    case 'tools/call':
      return callTool(tools, message, request);
    default:
      throw buildUnknownMethod(message, 404);
  }
}

/**
 * Tells whether a request is of the stateless revision, since it names its revision.
 * @throws ProtocolError if a header contradicts the message, or for an unknown revision.
 */
export function isStateless(message: RpcMessage, headerOf: HeaderOf): boolean {
  const meta = Object(message.params?._meta) as Readonly<Record<string, unknown>>;
  const inBody = meta[metaOf('protocolVersion')];
  const inHeader = headerOf('mcp-protocol-version');
  if (inBody === undefined) {
    // Clients of the first revision over HTTP send no such header.
    if (inHeader === undefined || handshakeRevisions.includes(inHeader)) return false;
    if (message.method === 'initialize') return false;
    if (inHeader === statelessRevision) throw buildMismatch('MCP-Protocol-Version', inHeader, inBody);
    throw buildRevisionError(inHeader);
  }
  if (inHeader !== inBody) throw buildMismatch('MCP-Protocol-Version', inHeader, inBody);
  if (inBody !== statelessRevision) throw buildRevisionError(inBody);
  assertHeader(headerOf, 'Mcp-Method', message.method);
  if (message.method === 'tools/call') assertHeader(headerOf, 'Mcp-Name', message.params?.name);
  const required = metaOf('clientCapabilities');
  if (typeof meta[required] !== 'object') {
    throw new ProtocolError('invalidParams', `params._meta must have "${required}".`, { status: 400 });
  }
  return true;
}

function metaOf(name: string): string {
  return `io.modelcontextprotocol/${name}`;
}

function assertHeader(headerOf: HeaderOf, name: string, inBody: unknown): void {
  const inHeader = decodeHeader(headerOf(name.toLowerCase()));
  if (inHeader !== inBody) throw buildMismatch(name, inHeader, inBody);
}

/** Decodes a value that a client has encoded because a header cannot contain it. */
function decodeHeader(value: string | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

function buildMismatch(name: string, inHeader: string | undefined, inBody: unknown): ProtocolError {
  const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100));
  const message = `The header ${name} has ${show(inHeader)}, but the body has ${show(inBody)}.`;
  return new ProtocolError('headerMismatch', message, { status: 400 });
}

function buildRevisionError(requested: unknown): ProtocolError {
  const data = { supported: supportedVersions, requested };
  return new ProtocolError('unsupportedVersion', 'Unsupported protocol version', { status: 400, data });
}
