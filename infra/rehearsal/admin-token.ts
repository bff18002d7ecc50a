import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { region } from './environment.ts';
import { RehearsalProblem } from './problem.ts';

/**
 * The first admin token, fetched as an operator does: the stack says which secret holds its random part.
 * @throws RehearsalProblem when the stack names no secret, or the secret holds nothing.
 */
export async function fetchAdminToken(endpoint: string, outputs: Readonly<Record<string, string>>): Promise<string> {
  const { FirstTokenSecret } = outputs;
  if (FirstTokenSecret === undefined) throw new RehearsalProblem('The stack does not say where its first token is.');
  const client = new SecretsManagerClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'rehearsal', secretAccessKey: 'rehearsal' },
  });
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: FirstTokenSecret }));
    if (SecretString === '') throw new RehearsalProblem('The secret of the first token holds nothing.');
    return `*:*.${SecretString}`;
  } finally {
    client.destroy();
  }
}
