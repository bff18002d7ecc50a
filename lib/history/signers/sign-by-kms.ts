import { createPublicKey } from 'node:crypto';
import { awsAddress, signForAws } from '../../helpers/sign-for-aws.ts';
import type { CheckpointSigner } from '../checkpoint.ts';

/** The longest time until KMS answers. */
const timeoutMs = 5_000;

/**
 * Opens a key of AWS's KMS of the type ECC_NIST_P256. Its private part never leaves KMS.
 * @param id the ARN of the key.
 * @throws Error if the key cannot be used.
 */
export async function openKmsSigner(id: string): Promise<CheckpointSigner> {
  const { PublicKey } = await callKms('GetPublicKey', { KeyId: id });
  const key = createPublicKey({ key: Buffer.from(String(PublicKey), 'base64'), type: 'spki', format: 'der' });
  return {
    publicKey: String(key.export({ type: 'spki', format: 'pem' })),
    async sign(text) {
      const { Signature } = await callKms('Sign', {
        KeyId: id,
        Message: Buffer.from(text).toString('base64'),
        MessageType: 'RAW',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      return String(Signature);
    },
  };
}

/** @throws Error if KMS refuses. */
async function callKms(
  operation: 'GetPublicKey' | 'Sign',
  input: { readonly KeyId: string; readonly [name: string]: unknown },
): Promise<Readonly<Record<string, unknown>>> {
  // The ARN of a key names its region, which may be another one.
  const region = /^arn:[\w-]+:kms:([a-z0-9-]+):/.exec(input.KeyId)?.[1];
  const url = new URL(awsAddress('kms', region));
  const body = JSON.stringify(input);
  const type = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${operation}` };
  const headers = await signForAws('kms', { url, headers: type, body }, region);
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
  const output = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  if (response.status === 200) return output;
  throw new Error(`The key of checkpoints cannot be used: KMS answered ${output.__type ?? response.status}`);
}
