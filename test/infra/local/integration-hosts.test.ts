import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/local/settings.ts';

test("Integrations may send to private hosts that our variable or Unleash's allows", () => {
  const hosts = (variables: NodeJS.ProcessEnv) => readSettings(variables).integrationHosts;
  expect(hosts({})).toEqual([]);
  expect(hosts({ INTEGRATION_ALLOWED_HOSTS: 'a', UNLEASH_ALLOW_LIST_INTEGRATION: 'b.example, *.internal' })).toEqual([
    ...['a', 'b.example', '*.internal'],
  ]);
  expect(hosts({ UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION: 'true' })).toEqual(['0.0.0.0/0', '::/0']);
  expect(hosts({ UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION: 'false' })).toEqual([]);
  expect(() => hosts({ UNLEASH_ALLOW_LIST_INTEGRATION: 'http://b' })).toThrow(
    /^UNLEASH_ALLOW_LIST_INTEGRATION must be/,
  );
});
