import type { Call } from '../handler-types.ts';
import { version } from '../version.ts';
import { readClientName, sessionHeader } from './client-name.ts';
import type { RpcMessage } from './message-schema.ts';
import { ProtocolError } from './protocol-error.ts';
import { runTool, type Tool, type ToolRequest, type ToolResult } from './tool.ts';

/** A server of MCP: its tools, and what a model should know before it uses them. */
export interface McpServer {
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

/** Returns a header of the request by its lowercase name. */
export type HeaderOf = (name: string) => string | undefined;

/** The request over HTTP with a message. */
export interface McpRequest extends ToolRequest {
  readonly header: HeaderOf;
}

/** The name of the server, which it tells to clients. */
export const serverInfo = { name: 'flagstaff', title: 'Flagstaff', version };

/** The parts of MCP that the server has. */
export const capabilities = { tools: {} };

/**
 * Calls the tool that a message names.
 * @throws ProtocolError for an unknown tool.
 */
export function callTool(tools: readonly Tool[], message: RpcMessage, request: McpRequest): Promise<ToolResult> {
  const { params } = message;
  const tool = tools.find(({ name }) => name === params?.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new ProtocolError('invalidParams', `There is no such tool; there are ${names}.`);
  }
  const client = readClientName(message, request.header(sessionHeader));
  const call: Call = (operation, sent) => request.call(operation, { ...sent, ...(client !== undefined && { client }) });
  return runTool(tool, params?.arguments, { ...request, call });
}

/**
 * Builds the error for a method that the revision of the client lacks.
 * @param status the HTTP status that the revision requires for it.
 */
export function buildUnknownMethod({ method }: RpcMessage, status: number): ProtocolError {
  return new ProtocolError('methodNotFound', `There is no method "${method.slice(0, 100)}".`, { status });
}
