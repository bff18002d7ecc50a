import { answerAfterHandshake, buildSessionHeaders } from './handshake-revisions.ts';
import type { RpcMessage, RpcReply } from './message-schema.ts';
import { ProtocolError } from './protocol-error.ts';
import type { McpRequest, McpServer } from './server.ts';
import { answerStateless, isStateless } from './stateless-revision.ts';

/** An answer with its HTTP status and headers; a notification has no reply. */
export interface McpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply?: RpcReply;
}

/**
 * Answers a message of a client in the revision that it uses. Notifications are ignored.
 * @throws Error for anything but a mistake of the client or of the model.
 */
export async function answerMessage(server: McpServer, message: RpcMessage, request: McpRequest): Promise<McpAnswer> {
  const { id } = message;
  if (id === undefined) return { status: 202 };
  try {
    const answer = isStateless(message, request.header) ? answerStateless : answerAfterHandshake;
    const result = { ...(await answer(server, message, request)) };
    return { status: 200, headers: buildSessionHeaders(message), reply: { jsonrpc: '2.0', id, result } };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { status, code, message: text, data } = error;
    return {
      status,
      reply: { jsonrpc: '2.0', id, error: { code, message: text, ...(data !== undefined && { data }) } },
    };
  }
}
