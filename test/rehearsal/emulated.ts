import { region } from './environment.ts';
import { RehearsalProblem } from './processes.ts';

/** A service of the emulator, with the prefix of its actions in the header `x-amz-target`. */
export interface EmulatedService {
  readonly name: string;
  readonly target: string;
}

export const dynamoDb: EmulatedService = { name: 'dynamodb', target: 'DynamoDB_20120810' };
export const buses: EmulatedService = { name: 'events', target: 'AWSEvents' };
export const kms: EmulatedService = { name: 'kms', target: 'TrentService' };
export const logs: EmulatedService = { name: 'logs', target: 'Logs_20140328' };
export const sqs: EmulatedService = { name: 'sqs', target: 'AmazonSQS' };

type Answer = Partial<Record<string, unknown>>;

/**
 * Calls an action of a service whose protocol is JSON.
 * @throws RehearsalProblem if the status is not 2xx.
 */
export function callEmulated(
  endpoint: string,
  { name, target }: EmulatedService,
  action: string,
  input: object = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${target}.${action}` };
  return send(`${action} of the emulator`, name, endpoint, { method: 'POST', headers, body: JSON.stringify(input) });
}

/**
 * Calls an operation of Lambda, by its method and its path without the version.
 * @throws RehearsalProblem if the status is not 2xx.
 */
export function callEmulatedLambda(endpoint: string, method: string, path: string, input?: object): Promise<Answer> {
  const url = `${endpoint}/2015-03-31/${path}`;
  return send(`${method} ${path} of the emulator`, 'lambda', url, {
    method,
    ...(input && { body: JSON.stringify(input) }),
  });
}

/**
 * Reads an object of S3.
 * @returns its text; undefined if there is no such object.
 * @throws RehearsalProblem if the emulator refuses.
 */
export async function readObject(endpoint: string, bucket: string, key: string): Promise<string | undefined> {
  const headers = { authorization: authorizationFor('s3') };
  const response = await fetch(`${endpoint}/${bucket}/${key}`, { headers, signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  if (response.ok) return text;
  if (text.includes('<Code>NoSuchKey</Code>')) return undefined;
  throw new RehearsalProblem(`GET ${bucket}/${key} of the emulator answers ${response.status}: ${text}`);
}

/** Returns the header `authorization`. The emulator only reads the service and the region from it, not the signature. */
export function authorizationFor(service: string): string {
  return `AWS4-HMAC-SHA256 Credential=rehearsal/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`;
}

async function send(title: string, service: string, url: string, { headers, ...init }: RequestInit): Promise<Answer> {
  const response = await fetch(url, {
    ...{ ...init, headers: { ...headers, authorization: authorizationFor(service) } as Record<string, string> },
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new RehearsalProblem(`${title} answers ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}
