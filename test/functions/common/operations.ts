import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import * as registry from '../../../functions/index.ts';
import type { Declaration } from '../../../lib/http/declaration.ts';
import { readSeed } from '../../../lib/seed/seed-data.ts';
import { type Answer, freshService, type Service } from '../../harness/service.ts';

/** An operation, with a request for it that succeeds on the service of `preparedService`. */
export interface Operation {
  readonly operationId: string;
  readonly declaration: Declaration;
  readonly method: Declaration['method'];
  readonly target: string;
  /** Has every property that the operation knows; undefined where it takes no body. */
  readonly body: object | undefined;
}

/** What the variables of the paths are in a request that succeeds. */
const variables: Record<string, string> = {
  projectId: 'shop',
  featureName: 'checkout',
  environment: 'development',
  id: '1',
};

const strategy = {
  name: 'flexibleRollout',
  title: 'Half of all',
  disabled: false,
  sortOrder: 3,
  constraints: [
    { contextName: 'userId', operator: 'IN', caseInsensitive: false, inverted: true, values: ['u-1'], value: 'u-1' },
  ],
  variants: [
    {
      name: 'blue',
      weight: 1000,
      weightType: 'variable',
      stickiness: 'default',
      payload: { type: 'string', value: '#00f' },
    },
  ],
  parameters: { rollout: '50', stickiness: 'default', groupId: 'checkout' },
  segments: [7],
};

const flag = { description: 'The new checkout', type: 'release', stale: false, impressionData: true, archived: false };

/** A body for each operation that takes one: a new operation needs one, too. */
const bodies: Partial<Record<keyof typeof registry, object>> = {
  addDefaultStrategyToProjectEnvironment: strategy,
  addEnvironmentToProject: { environment: 'default', changeRequestsEnabled: false, defaultStrategy: strategy },
  addFeatureStrategy: strategy,
  addTag: { value: 'payments', type: 'team' },
  bulkToggleFeaturesEnvironmentOff: { features: ['checkout'] },
  importToggles: {
    project: 'shop',
    environment: 'development',
    data: {
      features: [
        { name: 'checkout', ...flag },
        { name: 'basket', ...flag },
      ],
      featureStrategies: [{ ...strategy, featureName: 'checkout' }],
      featureEnvironments: [
        {
          name: 'development',
          featureName: 'checkout',
          enabled: true,
          variants: [
            {
              name: 'blue',
              weight: 1000,
              weightType: 'variable',
              stickiness: 'default',
              payload: { type: 'json', value: '{}' },
              overrides: [{ contextName: 'userId', values: ['u-1'] }],
            },
          ],
        },
      ],
      contextFields: [
        {
          name: 'country',
          description: 'Where the customer is',
          stickiness: false,
          sortOrder: 5,
          legalValues: [{ value: 'CH', description: 'Switzerland' }],
        },
      ],
      featureTags: [{ featureName: 'checkout', tagType: 'team', tagValue: 'shop', type: 'team', value: 'shop' }],
      segments: [{ id: 7, name: 'swiss-customers' }],
      tagTypes: [{ name: 'team', description: 'Who looks after it', icon: 'T' }],
      dependencies: [{ feature: 'checkout', dependencies: [{ feature: 'basket', enabled: true, variants: ['blue'] }] }],
    },
  },
  setSamlSettings: {
    enabled: true,
    entityId: 'https://idp.example.com',
    signOnUrl: 'https://idp.example.com/on',
    certificate: 'MII…',
    signOutUrl: 'https://idp.example.com/off',
    spCertificate: 'MII…',
    autoCreate: true,
    emailDomains: 'example.com',
    defaultRootRole: 'Viewer',
    defaultRootRoleId: 3,
  },
  updateFeature: { name: 'checkout', ...flag },
  validateProject: { id: 'fresh' },
};

/** All operations of the registry. */
export const operations: readonly Operation[] = Object.entries(registry).map(([operationId, { declaration }]) => {
  const body = bodies[operationId as keyof typeof registry];
  if ((body === undefined) !== (declaration.body === undefined)) {
    throw new Error(`${operationId} needs an example of its body in operations.ts, exactly if it takes one.`);
  }
  return { operationId, declaration, method: declaration.method, target: targetOf(declaration.path), body };
});

/** Those that take a body. */
export const operationsWithBody = operations.filter(
  (operation) => operation.body !== undefined,
) as readonly (Operation & {
  readonly body: object;
})[];

/** A path with other values in some of its variables, which must be encoded already. */
export function targetOf(path: string, others: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = others[name] ?? variables[name];
    if (value === undefined) throw new Error(`The variable ${name} needs a value in operations.ts.`);
    return value;
  });
}

/** A service on which the request of every operation succeeds; some of them only once. */
export async function preparedService(): Promise<Service> {
  const file = new URL('../../fixtures/seed.json', import.meta.url);
  const service = await freshService(readSeed(JSON.parse(readFileSync(file, 'utf8'))));
  await restore(service);
  return service;
}

/** Gives the feature back the one strategy that it began with: it takes 30 of them. */
export async function restore(service: Service): Promise<void> {
  expectAccepted(await service.post('/api/admin/features-batch/import', bodies.importToggles));
}

/** That a request succeeded, or asked for what an equal request before it has brought about. */
export function expectAccepted(answer: Answer): void {
  expect(answer.status === 409 ? 200 : answer.status, answer.text).toBeLessThan(300);
}

/** That a request was refused with this status and error name. */
export function expectRefused({ status, body, text }: Answer, expected: number, name: string): void {
  expect({ status, name: body?.name }, text).toEqual({ status: expected, name });
}

/** That an error quotes nothing that some clients could not carry: no NUL, no half of a surrogate pair. */
export function expectCarriable({ body, text }: Answer): void {
  const details: { message: string; path?: string }[] = body.details;
  const texts = [body.message, ...details.flatMap(({ message, path = '' }) => [message, path])];
  expect(
    texts.filter((each) => each.includes('\0') || !each.isWellFormed()),
    text,
  ).toEqual([]);
}
