import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { environmentRequest } from '../../../../lib/request.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { readItem } from '../../../../lib/store/read.ts';
import { storeEndpoint } from '../../../harness/store-endpoint.ts';
import { recordingProxy } from '../../../infra/recording-proxy.ts';

/** Returns the authorization of a request, with these variables in the environment. */
async function authorizationWith(environment: Readonly<Record<string, string | undefined>>) {
  await using proxy = await recordingProxy(storeEndpoint());
  vi.stubEnv('DYNAMODB_ENDPOINT', proxy.url);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // The table does not exist there, but the request is made.
  await readItem(environmentRequest(), keys.seeded()).catch(() => {});
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

/** Returns the authorization of a request to one of Amazon's own stores, which is kept from leaving. */
async function authorizationAtAws(environment: Readonly<Record<string, string | undefined>>) {
  vi.stubEnv('DYNAMODB_ENDPOINT', 'https://dynamodb.eu-central-1.amazonaws.com');
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const table = environmentRequest();
  let authorization: string | undefined;
  table.store.client.middlewareStack.addRelativeTo(
    () => (args: { request: unknown }) => {
      ({ authorization } = (args.request as { headers: Record<string, string> }).headers);
      return Promise.reject(new Error('It must not leave.'));
    },
    { relation: 'after', toMiddleware: 'httpSigningMiddleware', name: 'stopSigned' },
  );
  await expect(readItem(table, keys.seeded())).rejects.toThrow();
  return authorization;
}

test("Amazon's own store gets the identity of a profile, never one that is made up", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flagstaff-profile-'));
  try {
    const file = join(directory, 'credentials');
    writeFileSync(file, '[production]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = secret\n');
    const profile = { AWS_PROFILE: 'production', AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: file };
    const environment = { ...profile, AWS_ACCESS_KEY_ID: undefined, AWS_REGION: 'eu-central-1', TABLE_NAME: 'flags' };
    expect(await authorizationAtAws(environment)).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDPROFILE\//);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("without any identity nothing is sent to Amazon's own store", async () => {
  const nowhere = { AWS_SHARED_CREDENTIALS_FILE: '/nonexistent', AWS_CONFIG_FILE: '/nonexistent' };
  const environment = { ...nowhere, AWS_EC2_METADATA_DISABLED: 'true', AWS_ACCESS_KEY_ID: undefined };
  expect(await authorizationAtAws({ ...environment, AWS_REGION: 'eu-central-1', TABLE_NAME: 'none' })).toBeUndefined();
});
