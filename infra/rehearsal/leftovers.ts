import { region } from './environment.ts';

/** Lists of what outlives a stack unless it is told otherwise: their service, and how it calls them. */
const lists = [
  { service: 'dynamodb', target: 'DynamoDB_20120810.ListTables', member: 'TableNames' },
  { service: 'secretsmanager', target: 'secretsmanager.ListSecrets', member: 'SecretList' },
] as const;

/** What is left in the account of tables and secrets, as it is listed. */
export async function leftovers(endpoint: string): Promise<unknown[]> {
  const found = await Promise.all(
    lists.map(async ({ service, target, member }) => {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          // The emulator looks only at which service and region a signature is for.
          authorization: `AWS4-HMAC-SHA256 Credential=rehearsal/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`,
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': target,
        },
        body: '{}',
        signal: AbortSignal.timeout(10_000),
      });
      const answer = (await response.json()) as Partial<Record<string, unknown[]>>;
      return answer[member] ?? [];
    }),
  );
  return found.flat();
}
