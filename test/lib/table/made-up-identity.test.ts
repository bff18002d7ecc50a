import { afterEach, expect, inject, test, vi } from 'vitest';
import { environmentTable } from '../../../lib/table/client.ts';
import { keys } from '../../../lib/table/keys.ts';
import { readItem } from '../../../lib/table/read.ts';
import { recordingProxy } from '../../infra/recording-proxy.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** What a request says of who makes it, where the environment says so much. */
async function authorizationWith(environment: Readonly<Record<string, string | undefined>>) {
  await using proxy = await recordingProxy(inject('storeEndpoint'));
  vi.stubEnv('DYNAMODB_ENDPOINT', proxy.url);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // The table does not exist there, but the request is made.
  await readItem(environmentTable(), keys.seeded()).catch(() => {});
  return proxy.received[0]?.authorization;
}

test('a store of our own gets requests that only look signed', async () => {
  expect(await authorizationWith({ AWS_ACCESS_KEY_ID: undefined, AWS_REGION: 'eu-central-1' })).toMatch(
    /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, .* Signature=0$/,
  );
});

test('an identity that the environment gives is used to sign, whatever the store', async () => {
  const identity = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' };
  expect(await authorizationWith(identity)).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, .* Signature=[0-9a-f]{64}$/,
  );
});
