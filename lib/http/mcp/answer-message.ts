import type { Call } from '../declaration.ts';
import { version } from '../version.ts';
import { readClientName, sessionHeader, writeSessionId } from './client-name.ts';
import { describeTool } from './describe-tool.ts';
import type { RpcMessage, RpcReply } from './message-schema.ts';
import { ProtocolError } from './protocol-error.ts';
import { type HeaderOf, isStateless, negotiateRevision, serverInfoKey, supportedRevisions } from './revision.ts';
import { runTool, type Tool, type ToolRequest } from './tool.ts';

/** A server of MCP: its tools, and what a model should know before it uses them. */
export interface McpServer {
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

/** A message's request over HTTP. */
export interface McpRequest extends ToolRequest {
  readonly header: HeaderOf;
}

/** An answer with its HTTP status and headers; a notification has no reply. */
export interface McpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply?: RpcReply;
}

type Result = NonNullable<RpcReply['result']>;

const serverInfo = { name: 'flagstaff', title: 'Flagstaff', version };
const capabilities = { tools: {} };

/** The time for which a client may keep an answer that changes with releases only. It is for this client alone: the server can be switched off. */
const caching = { ttlMs: 5 * 60_000, cacheScope: 'private' };

/**
 * Answers a message of a client, of the revision of July 2026 or of those with a handshake (2025). No session is kept.
 * @throws Error for anything but a mistake of the client or of the model.
 */
export async function answerMessage(server: McpServer, message: RpcMessage, request: McpRequest): Promise<McpAnswer> {
  const { id } = message;
  // No notification of a client has an effect here.
  if (id === undefined) return { status: 202 };
  try {
    const result = isStateless(message, request.header)
      ? toCompleteResult(await answerStateless(server, message, request))
      : await answerAfterHandshake(server, message, request);
    const session = message.method === 'initialize' ? writeSessionId(message) : undefined;
    const headers = session === undefined ? {} : { [sessionHeader]: session };
    return { status: 200, headers, reply: { jsonrpc: '2.0', id, result } };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { status, code, data } = error;
    return {
      status,
      reply: { jsonrpc: '2.0', id, error: { code, message: error.message, ...(data !== undefined && { data }) } },
    };
  }
}

async function answerStateless(server: McpServer, message: RpcMessage, request: McpRequest): Promise<object> {
  switch (message.method) {
    case 'server/discover':
      return { supportedVersions: supportedRevisions, capabilities, instructions: server.instructions, ...caching };
    case 'tools/list':
      return { tools: server.tools.map(describeTool), ...caching };
    case 'tools/call':
      return callTool(server, message, request);
    default:
      throw unknownMethod(message, 404);
  }
}

async function answerAfterHandshake(
  { instructions, tools }: McpServer,
  message: RpcMessage,
  request: McpRequest,
): Promise<Result> {
  switch (message.method) {
    case 'initialize': {
      const protocolVersion = negotiateRevision(message.params?.protocolVersion);
      return { protocolVersion, capabilities, serverInfo, instructions };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: tools.map(describeTool) };
    case 'tools/call':
      return { ...(await callTool({ tools }, message, request)) };
    default:
      throw unknownMethod(message, 200);
  }
}

/** Adds the parts that the stateless revision requires of each result. */
function toCompleteResult(result: object): Result {
  return { resultType: 'complete', ...result, _meta: { [serverInfoKey]: serverInfo } };
}

function callTool({ tools }: Pick<McpServer, 'tools'>, message: RpcMessage, request: McpRequest) {
  const { params } = message;
  const tool = tools.find(({ name }) => name === params?.name);
  const client = readClientName(message, request.header);
  const call: Call = (operation, sent) => request.call(operation, { ...sent, ...(client !== undefined && { client }) });
  if (tool !== undefined) return runTool(tool, params?.arguments, { ...request, call });
  const names = tools.map(({ name }) => name).join(', ');
  throw new ProtocolError('invalidParams', `There is no such tool; there are ${names}.`);
}

function unknownMethod({ method }: RpcMessage, status: number): ProtocolError {
  return new ProtocolError('methodNotFound', `There is no method "${method.slice(0, 100)}".`, { status });
}
