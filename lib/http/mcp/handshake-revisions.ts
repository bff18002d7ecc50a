import { sessionHeader, writeSessionId } from './client-name.ts';
import { describeTool } from './describe-tool.ts';
import type { RpcMessage } from './message-schema.ts';
import { buildUnknownMethod, callTool, capabilities, type McpRequest, type McpServer, serverInfo } from './server.ts';

const newestRevision = '2025-11-25';

/** The revisions of 2025, which begin with a handshake, `initialize`; the newest is first. */
export const handshakeRevisions: readonly string[] = [newestRevision, '2025-06-18', '2025-03-26'];

/** Answers a request of a revision with a handshake. @throws ProtocolError for an unknown method or tool. */
export async function answerAfterHandshake(
  { instructions, tools }: McpServer,
  message: RpcMessage,
  request: McpRequest,
): Promise<object> {
  switch (message.method) {
    case 'initialize':
      return { protocolVersion: negotiateRevision(message), capabilities, serverInfo, instructions };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: tools.map(describeTool) };
    case 'tools/call':
      return callTool(tools, message, request);
    default:
      throw buildUnknownMethod(message, 200);
  }
}

/** Returns the revision that the client requests, or the newest one if it is not here. */
function negotiateRevision({ params }: RpcMessage): string {
  return handshakeRevisions.find((revision) => revision === params?.protocolVersion) ?? newestRevision;
}

/** Returns the headers of the answer to a request. The one to `initialize` gives the client the id of a session. */
export function buildSessionHeaders(message: RpcMessage): Readonly<Record<string, string>> {
  const session = message.method === 'initialize' ? writeSessionId(message) : undefined;
  return session === undefined ? {} : { [sessionHeader]: session };
}
