import { beforeAll, describe, expect, test } from 'vitest';
import type * as registry from '../../../functions/index.ts';
import { tokenOf } from '../../harness/features.ts';
import type { Service } from '../../harness/service.ts';
import { expectRefused, type Operation, operations, preparedService, targetOf } from './operations.ts';

const people = {
  Admin: { rootRole: 'Admin' },
  Editor: { rootRole: 'Editor' },
  Owner: { inProject: { project: 'shop', role: 'Owner' } },
  Member: { inProject: { project: 'shop', role: 'Member' } },
  'Owner of another project': { inProject: { project: 'default', role: 'Owner' } },
  'Member of another project': { inProject: { project: 'default', role: 'Member' } },
  Viewer: { rootRole: 'Viewer' },
} as const;
type Person = keyof typeof people;

const anyone = Object.keys(people) as Person[];

/** Who may call what in the project `shop`; everybody else gets 403. */
const allowed: Partial<Record<keyof typeof registry, readonly Person[]>> = {
  addDefaultStrategyToProjectEnvironment: ['Admin', 'Editor', 'Owner'],
  addEnvironmentToProject: ['Admin', 'Editor', 'Owner'],
  addFeatureStrategy: ['Admin', 'Editor', 'Owner', 'Member'],
  addTag: ['Admin', 'Editor', 'Owner', 'Member'],
  bulkToggleFeaturesEnvironmentOff: ['Admin', 'Editor', 'Owner', 'Member'],
  deleteAddon: ['Admin', 'Editor'],
  getSamlSettings: ['Admin'],
  importToggles: ['Admin', 'Editor', 'Owner', 'Member'],
  setSamlSettings: ['Admin'],
  updateFeature: ['Admin', 'Editor', 'Owner', 'Member'],
  validateProject: ['Admin', 'Editor'],
};

let service: Service;
const tokens = new Map<Person, string>();

beforeAll(async () => {
  service = await preparedService();
  for (const [person, roles] of Object.entries(people)) {
    tokens.set(person as Person, await tokenOf(service, { username: person, ...roles }));
  }
});

const tokenOfPerson = (person: Person) => tokens.get(person) ?? '';

function callAs(person: Person, { method, target, body }: Operation) {
  return service.call(method, target, { token: tokenOfPerson(person), body });
}

describe.each(operations)('$operationId', (operation) => {
  const { operationId, declaration } = operation;
  const { permission, authorizedBy, path } = declaration;
  const may = permission === undefined ? anyone : (allowed[operationId as keyof typeof registry] ?? []);
  const mayNot = anyone.filter((person) => !may.includes(person));

  test(`is open to ${may.join(', ')}`, async () => {
    expect(may).not.toEqual([]);
    for (const person of may) {
      const { status, text } = await callAs(person, operation);
      // What has been done before is a conflict, or is not there any more.
      expect(status, `${person}: ${text}`).toBeOneOf([200, 201, 404, 409]);
    }
  });

  if (permission === undefined) return;

  test(`answers 403 to ${mayNot.join(', ')}, and names the permission`, async () => {
    for (const person of mayNot) {
      const answer = await callAs(person, operation);
      expectRefused(answer, 403, 'NoAccessError');
      expect([permission].flat().some((each) => answer.body.message.includes(each))).toBe(true);
    }
  });

  test('answers 403, not 404, to a Viewer who asks for what does not exist', async () => {
    const unknown = { projectId: 'unknown', featureName: 'unknown', environment: 'unknown', id: '9' };
    const body = operationId === 'importToggles' ? { ...operation.body, project: 'unknown' } : operation.body;
    const answer = await callAs('Viewer', { ...operation, target: targetOf(path, unknown), body });
    expectRefused(answer, 403, 'NoAccessError');
  });

  if (authorizedBy === undefined)
    test('answers 403 to a Viewer before it looks at the path and the body', async () => {
      const requests = [
        { body: undefined },
        { body: '{' },
        { body: '[]' },
        { body: '{}', headers: { 'content-type': 'text/plain' } },
        { body: '{}', headers: { 'content-encoding': 'gzip' } },
        { body: ' '.repeat(102_401) },
      ];
      const bad = path.replaceAll(/\{\w+\}/g, '%zz');
      for (const request of requests) {
        for (const target of [operation.target, bad]) {
          const answer = await service.call(operation.method, target, { token: tokenOfPerson('Viewer'), ...request });
          expectRefused(answer, 403, 'NoAccessError');
        }
      }
    });

  if (authorizedBy === 'handler')
    test('tells a Viewer what is wrong with the body before it answers 403', async () => {
      const viewer = { ...operation, body: {} };
      expectRefused(await callAs('Viewer', viewer), 400, 'ValidationError');
    });
});
