import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ReadyOperation } from '../operations.ts';
import { alteredRequest, type HostileRequest } from '../request.ts';

type Event = Record<string, unknown>;

/** Changes of the event that API Gateway sends. */
const changes: Readonly<Record<string, (event: Event) => Event>> = {
  'no headers': ({ headers: _headers, ...rest }) => rest,
  'null for headers': (event) => ({ ...event, headers: null }),
  'null for the body': (event) => ({ ...event, body: null }),
  'no body': ({ body: _body, ...rest }) => rest,
  'no body, said to be in base64': ({ body: _body, ...rest }) => ({ ...rest, isBase64Encoded: true }),
  'no flag of base64': ({ isBase64Encoded: _flag, ...rest }) => rest,
  'a text for the flag of base64': (event) => ({ ...event, isBase64Encoded: 'false' }),
  'text that is said to be in base64': (event) => ({ ...event, isBase64Encoded: true }),
  'no base64 that is said to be': (event) => ({ ...event, body: '\u0000*é ====', isBase64Encoded: true }),
  'base64 that is cut off': (event) => ({ ...event, body: 'eyJhIjoxf', isBase64Encoded: true }),
  'base64 for URLs': (event) => ({ ...event, body: '-_-_', isBase64Encoded: true }),
  'bytes that are said to be text': (event) => ({ ...event, body: '\u001f\u008b\u0008\u0000ÿþ' }),
  'base64 that is said to be text': (event) => ({ ...event, body: Buffer.from(String(event.body)).toString('base64') }),
  'null for the query': (event) => ({ ...event, queryStringParameters: null }),
  'no path': ({ rawPath: _path, ...rest }) => rest,
  'no surroundings': ({ requestContext: _context, ...rest }) => rest,
  'empty surroundings': (event) => ({ ...event, requestContext: {} }),
  'no version': ({ version: _version, ...rest }) => rest,
  cookies: (event) => ({ ...event, cookies: ['a=b', '__proto__=1'] }),
  'variables of a stage': (event) => ({ ...event, stageVariables: { a: 'b' } }),
};

/** Events with parts that are missing, or contradict each other: API Gateway sends none of them, but others may call. */
export function* hostileEvents(operation: ReadyOperation): Generator<HostileRequest> {
  for (const [what, change] of Object.entries(changes)) {
    const changed = (event: APIGatewayProxyEventV2) => change(event as unknown as Event);
    yield alteredRequest(operation, `an event with ${what}`, { change: changed });
  }
}
