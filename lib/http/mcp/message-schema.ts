import * as v from 'valibot';
import { integer, object, openObject, text } from '../../values/primitives.ts';

const id = v.union([text, integer]);

/** A request or a notification of JSON-RPC 2.0, as MCP restricts it: a notification has no id. */
export const rpcMessage = object({
  jsonrpc: v.literal('2.0'),
  id: v.exactOptional(id),
  method: text,
  params: v.exactOptional(openObject({})),
});
export type RpcMessage = v.InferOutput<typeof rpcMessage>;

/** The answer to a request: a result or an error. */
export const rpcReply = object({
  jsonrpc: v.literal('2.0'),
  id,
  result: v.exactOptional(v.looseObject({})),
  error: v.exactOptional(object({ code: integer, message: v.string(), data: v.exactOptional(v.unknown()) })),
});
export type RpcReply = v.InferOutput<typeof rpcReply>;
