import { errorStatuses } from '../../../lib/errors.ts';
import { errorProblems, schemaProblems } from './answer-schemas.ts';
import type { Delivered, ReceivedReply } from './deliver.ts';
import { findLeaks, findSecrets } from './leaks.ts';

const promisedHeaders: Readonly<Record<string, RegExp>> = {
  // SDKs may keep a polled answer, but must revalidate it each time.
  'cache-control': /^no-(store|cache)(, no-transform)?$/,
  'x-content-type-options': /^nosniff$/,
  'strict-transport-security': /^max-age=[1-9]\d+/,
  'x-request-id': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
};

/** Statuses of requests that no operation takes: an unknown path or method, or no HTTP at all. */
const statusesOfNoOperation = [204, 400, 401, 403, 404, 405, 413];

/** All that may be said of what nobody thought of. */
const crashMessage = 'Something went wrong on our side.';

/** Lambda's documented limit of an answer. */
const answerBytesMax = 6 * 1024 * 1024;

/** Most time that one request may keep the processor, and all other requests of its process waiting. */
const processorMsMax = 2_000;

/** Lists the promises that an answer breaks, in words; empty for a good answer. */
export function brokenPromises(answer: ReceivedReply, sent: string, tokens: readonly string[]): string[] {
  const { status, text } = answer;
  // The function of a GET answers for all other methods of its path, too.
  const received = status === 405 ? { ...answer, operation: undefined } : answer;
  return [
    ...(status >= 500 ? [`It was answered with ${status}.`] : []),
    ...statusProblems(received),
    ...headerProblems(received),
    ...(text === '' ? [] : bodyProblems(received)),
    ...(status >= 400 ? findLeaks(text + JSON.stringify(received.headers), sent) : []),
    ...findSecrets(text, tokens),
  ];
}

/** Lists the broken promises that can be checked only for an answer given in this process. */
export function brokenLimits({ answerBytes, processorMs }: Delivered): string[] {
  return [
    ...(answerBytes > answerBytesMax ? [`The answer has ${answerBytes} bytes, more than Lambda sends.`] : []),
    ...(processorMs > processorMsMax ? [`It took ${processorMs.toFixed(0)} ms of the processor.`] : []),
  ];
}

const [jsonType, scimType] = ['application/json', 'application/scim+json'] as const;

/** Returns the types of body that an operation documents with a status. */
function typesOf({ operation, status }: ReceivedReply): string[] {
  if (operation === undefined) return [jsonType, scimType];
  const documented = Object.keys(operation.description.responses[status]?.content ?? {});
  if (status < 400) return documented;
  return [documented.includes(scimType) ? scimType : jsonType];
}

/** HEAD is answered with the length of a body that is left out; a stream has none. */
function isOfHead({ headers, text }: ReceivedReply): boolean {
  const isOfStream = headers['content-type'] === 'text/event-stream';
  return text === '' && (isOfStream || Number(headers['content-length']) > 0);
}

function statusProblems(received: ReceivedReply): string[] {
  const { operation, status, headers, text } = received;
  if (status === 405 && headers.allow === undefined) return ['It is 405 without Allow.'];
  const documented = operation === undefined ? statusesOfNoOperation : Object.keys(operation.description.responses);
  if (!documented.map(String).includes(String(status))) return [`The status ${status} is not documented.`];
  if (isOfHead(received)) return [];
  const isBodyExpected =
    operation === undefined ? status !== 204 : operation.description.responses[status]?.content !== undefined;
  return isBodyExpected === (text !== '') ? [] : [`With ${status} the body is ${text === '' ? 'empty' : 'not empty'}.`];
}

function headerProblems(received: ReceivedReply): string[] {
  const { headers, text } = received;
  const types = typesOf(received).map((type) => type.split(';', 1)[0]?.replace('+', '\\+').replace('*', '[a-z]+'));
  const promised = {
    ...promisedHeaders,
    // Server-sent events are always in UTF-8.
    ...(text !== '' && {
      'content-type': new RegExp(`^(text/event-stream|application/scim\\+json|(${types.join('|')}); charset=utf-8)$`),
    }),
    // Files that are part of a release may be kept.
    ...(types.includes('text/[a-z]+') && { 'cache-control': /^public, max-age=\d+, immutable$/ }),
  };
  const missing = Object.entries(promised).flatMap(([name, pattern]) =>
    pattern.test(headers[name] ?? '') ? [] : [`The header ${name} is ${headers[name] ?? 'missing'}.`],
  );
  const split = Object.entries(headers).filter(([, value]) => /[\0\r\n]|[^\0-\xff]/.test(value));
  return [...missing, ...split.map(([name]) => `The header ${name} cannot be sent.`)];
}

function bodyProblems(received: ReceivedReply): string[] {
  const { operation, status, headers, text } = received;
  const isOfScim = headers['content-type'] === scimType;
  if (!typesOf(received).includes(isOfScim ? scimType : jsonType)) return [];
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return ['The body is no JSON.'];
  }
  const [type, error] = isOfScim ? ([scimType, 'ScimError'] as const) : ([jsonType, 'Error'] as const);
  const problems =
    operation === undefined ? errorProblems(body, error) : schemaProblems(operation, { status, type }, body);
  if (problems.length > 0 || status < 400) return problems;
  return isOfScim ? scimErrorProblems(received, body as ScimError) : commonErrorProblems(received, body as CommonError);
}

interface ScimError {
  readonly status: string;
  readonly detail: string;
}

function scimErrorProblems({ status }: ReceivedReply, { status: told, detail }: ScimError): string[] {
  return [
    ...(told === String(status) ? [] : [`It tells of ${told}.`]),
    ...(detail === '' ? ['A message is empty.'] : []),
    ...(detail.isWellFormed() && !detail.includes('\0') ? [] : ['A text cannot be carried.']),
  ];
}

interface CommonError {
  readonly id: string;
  readonly name: string;
  readonly message: string;
  readonly details: readonly { readonly message: string; readonly path?: string }[];
}

function commonErrorProblems({ status, headers, requestId }: ReceivedReply, error: CommonError): string[] {
  const expectedId = requestId ?? headers['x-request-id'];
  const texts = [error.message, ...error.details.flatMap(({ message, path }) => [message, path ?? 'none'])];
  return [
    ...(error.id === expectedId && headers['x-request-id'] === expectedId
      ? []
      : ['The id is not that of the request.']),
    ...(errorStatuses[error.name as keyof typeof errorStatuses] === status ? [] : [`${error.name} is no ${status}.`]),
    ...(error.details.length > 0 ? [] : ['The details are empty.']),
    ...(status === 500 && !texts.every((each) => each === crashMessage || each === 'none')
      ? [`A crash tells of itself: ${JSON.stringify(error.message.slice(0, 100))}.`]
      : []),
    ...(texts.includes('') ? ['A message is empty.'] : []),
    ...(texts.every((each) => each.isWellFormed() && !each.includes('\0')) ? [] : ['A text cannot be carried.']),
  ];
}
