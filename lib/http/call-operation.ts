import { type CallableEndpoint, routeOf, type WrittenDeclaration } from './declaration.ts';
import type { AnswerOf, Sent } from './handler-types.ts';
import type { ChainRequest } from './middleware/state.ts';

/**
 * Calls an operation as a part of a request, without HTTP. It has the caller, the deadline and the usage of the request, and goes through
 * the same checks of permissions, maintenance, input and hidden projects as a request of its own. Apart from the name of the client it has
 * no headers: it expects no version, and its reply is JSON.
 * @param calls the operations that may be called. The access to the store of a deployed function follows from this list.
 * @throws ApiError the error of the operation; Error for an operation that is not in the list.
 */
export async function callOperation<D extends WrittenDeclaration>(
  { event, context }: Pick<ChainRequest, 'event' | 'context'>,
  calls: readonly CallableEndpoint[],
  operation: CallableEndpoint<D>,
  { params, query = {}, body, client = context.header('user-agent') }: Sent<D> = {},
): Promise<AnswerOf<D>> {
  if (!calls.includes(operation)) throw new Error(`"calls" does not declare ${routeOf(operation.declaration)}.`);
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values ?? []].flat().map((value) => [name, String(value)])),
  );
  const { text } = await operation.carryOut({
    event: {
      ...event,
      headers: {},
      rawQueryString: String(search),
      queryStringParameters: Object.fromEntries(search),
      // A parsed body replaces its text, as it does in a chain.
      body: body as string,
      ...(params && { pathParameters: params }),
    },
    context: {
      ...context,
      header: (name: string) => (name === 'user-agent' ? client : undefined),
      session: undefined,
      requestIdentity: undefined,
    },
  } as unknown as ChainRequest);
  return text === '' ? (undefined as AnswerOf<D>) : JSON.parse(text);
}
