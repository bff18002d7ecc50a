import { region } from './environment.ts';
import { RehearsalProblem } from './problem.ts';

/** A service of the emulator, and what its actions are called after. */
export interface EmulatedService {
  readonly name: 'dynamodb' | 'logs';
  readonly target: string;
}

export const dynamoDb: EmulatedService = { name: 'dynamodb', target: 'DynamoDB_20120810' };
export const logs: EmulatedService = { name: 'logs', target: 'Logs_20140328' };

/**
 * Calls an action of a service that takes JSON.
 * @throws RehearsalProblem when it is refused.
 */
export async function callEmulated(
  endpoint: string,
  { name, target }: EmulatedService,
  action: string,
  input: object = {},
): Promise<Partial<Record<string, unknown>>> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      // The emulator looks only at which service and region a signature is for.
      authorization: `AWS4-HMAC-SHA256 Credential=rehearsal/20260101/${region}/${name}/aws4_request, SignedHeaders=host, Signature=none`,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `${target}.${action}`,
    },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new RehearsalProblem(`${action} of the emulator answers ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}
