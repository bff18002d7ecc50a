import { expect, test } from 'vitest';
import { isOutdated } from '../../../../lib/usage/applications/outdated-sdks.ts';

test.each([
  'unleash-node-sdk:6.5.9',
  'unleash-node-sdk:5.99.99',
  'unleash-client-node:v5.3.1',
  'unleash-node-sdk:6.6.0-beta.1',
])('The SDK %s is outdated', (sdk) => expect(isOutdated(sdk)).toBe(true));

test.each([
  'unleash-node-sdk:6.6.0',
  'unleash-node-sdk:7.0.0-beta',
  'unleash-node-sdk:6.10.0+7',
  'unleash-node-sdk',
  'unleash-node-sdk:',
  'unleash-node-sdk:six',
  'own-sdk:0.0.1',
  'constructor:1.0.0',
  '',
])('The SDK "%s" is not known to be outdated', (sdk) => expect(isOutdated(sdk)).toBe(false));
