import {
  GetSecretValueCommand,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';

/** Letters and digits alone need no quotes anywhere, and 22 of them hold more than 128 bits when they are random. */
const randomPart = /^[A-Za-z0-9]{22,256}$/;

/**
 * The admin token whose random part is the current value of a secret.
 * @throws Error with a message that shows nothing of the value.
 */
export async function readFirstToken(secretId: string): Promise<string> {
  const client = new SecretsManagerClient({
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    // Whoever stores a value by hand easily adds the end of a line.
    const random = SecretString.trim();
    if (randomPart.test(random)) return `*:*.${random}`;
  } catch (error) {
    // What an answer cannot be read for may quote the answer, so of such errors the name is all that is told.
    if (error instanceof SecretsManagerServiceException) throw error;
    throw new Error(
      `The secret of the first token could not be read: ${error instanceof Error ? error.name : 'unknown'}`,
    );
  } finally {
    client.destroy();
  }
  throw new Error('The secret of the first token must hold 22 to 256 letters and digits and nothing else.');
}
