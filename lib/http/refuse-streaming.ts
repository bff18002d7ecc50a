import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import type { Middleware, RequestCheck } from './middleware/state.ts';
import { segmentsOf } from './route-matcher.ts';

/** The path of the stream of changes, for SDKs and Edge. */
const path = 'api/client/streaming';
/** The time after which an early Edge asks again. It never waits longer. */
const retryMs = 30_000;

type RequestEvent = Pick<APIGatewayProxyEventV2, 'rawPath' | 'headers' | 'requestContext'>;

/** Refuses requests for a stream before their token is looked up, so that they cost functions no reads. */
export const refuseStreaming: RequestCheck = ({ event }) => {
  if (isForStream(event)) throw refusalOfStreaming((name) => event.headers[name]);
};

/**
 * Returns the refusal of a request for a stream: a 404, after which SDKs poll instead, or a 403 for Edge, which then stops asking.
 * @param header reads a header of the request.
 */
export function refusalOfStreaming(header: (name: string) => string | undefined): ApiError {
  const name = header('unleash-sdk-type') === 'edge' ? 'NoAccessError' : 'NotFoundError';
  return new ApiError(name, 'Streaming is not supported; poll instead: start Edge without --streaming.');
}

/**
 * Sends an early Edge a stream of one event with the error, instead of the error. After any error, Edge 20.1 asks again at once,
 * thousands of times a second. After the end of a stream, it waits. It logs the event, which it does not know.
 */
export function endRefusedStream(): Middleware {
  return {
    onError: function endRefusedStreamOnError(request) {
      const { event, response } = request;
      if (!isForStream(event) || !isEarlyEdge(event.headers)) return;
      request.response = {
        statusCode: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: `retry: ${retryMs}\nevent: refused\ndata: ${response?.body}\n\n`,
      };
    },
  };
}

function isForStream({ rawPath, requestContext }: RequestEvent): boolean {
  return requestContext?.http?.method === 'GET' && segmentsOf(rawPath).join('/').toLowerCase() === path;
}

/** Recognizes an Edge from before it sent its type. It sends the version of the specification, but no name of an SDK, as SDKs that stream do. */
function isEarlyEdge(headers: RequestEvent['headers']): boolean {
  return Boolean(headers['unleash-client-spec']) && !headers['unleash-sdk'] && !headers['unleash-sdk-type'];
}
