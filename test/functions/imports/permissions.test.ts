import { beforeAll, describe, expect, test } from 'vitest';
import { readFeature } from '../../harness/features.ts';
import {
  type FileData,
  type ImportOptions,
  imported,
  importSeed,
  sendImport,
  tokensOfRoles,
  writesNothing,
} from '../../harness/imports.ts';
import { importPath } from '../../specifications/files.ts';
import { sharedService } from '../../specifications/specify.ts';

type Role = keyof Awaited<ReturnType<typeof tokensOfRoles>>;

let tokens: Awaited<ReturnType<typeof tokensOfRoles>>;
const service = sharedService(importSeed);
beforeAll(async () => {
  tokens = await tokensOfRoles(service);
  await imported(service, { features: [{ name: 'existing' }] });
});

const everybody: Role[] = ['viewer', 'editor', 'owner', 'member'];
const inProject: FileData = {
  features: [{ name: 'existing', stale: true }, { name: 'new' }],
  featureStrategies: [{ name: 'default', featureName: 'new' }],
  featureEnvironments: [{ name: 'new', enabled: true, variants: [{ name: 'v', weight: 1000 }] }],
  featureTags: [{ featureName: 'new', tagType: 'team', tagValue: 'blue' }],
  tagTypes: [{ name: 'team' }],
  contextFields: [{ name: 'country', legalValues: [{ value: 'CH' }] }],
};

async function refused(role: Role, data: FileData, options: ImportOptions = {}) {
  const answer = await writesNothing(service, () => sendImport(service, data, { ...options, token: tokens[role] }));
  expect([answer.status, answer.body.name]).toEqual([403, 'NoAccessError']);
  return answer.body.message as string;
}

describe('An import', () => {
  test('may be made with an admin token', async () => {
    await imported(service, { features: [{ name: 'by-admin' }], tagTypes: [{ name: 'by-admin' }] });
    expect(await readFeature(service, 'by-admin')).toMatchObject({ name: 'by-admin' });
  });

  test.each(['owner', 'member', 'editor'] as const)(
    'of all that belongs to the project may be made by its %s, the first time and again',
    async (role) => {
      await imported(service, inProject, { token: tokens[role] });
      await imported(service, { ...inProject, featureStrategies: [] }, { token: tokens[role] });
    },
  );

  test('is not a Viewer’s, be the file empty, good, bad or meant for a project that does not exist', async () => {
    for (const data of [{}, inProject, { features: [{ name: 'has space' }] }]) {
      expect(await refused('viewer', data)).toContain('UPDATE_FEATURE');
    }
    await refused('viewer', {}, { project: 'no-such-project' });
    await refused('viewer', {}, { environment: 'no-such-environment' });
  });

  test.each(['owner', 'member'] as const)('into another project is not for an %s of this one', async (role) => {
    expect(await refused(role, { features: [{ name: 'foreign' }] }, { project: 'other' })).toContain('UPDATE_FEATURE');
    await refused(role, {}, { project: 'no-such-project' });
  });

  test('into any project is an Editor’s', async () => {
    await imported(service, { features: [{ name: 'in-other' }] }, { project: 'other', token: tokens.editor });
    const { status } = await sendImport(service, {}, { project: 'no-such-project', token: tokens.editor });
    expect(status).toBe(404);
  });

  test.each([
    ['CREATE_CONTEXT_FIELD', { contextFields: [{ name: 'brand-new' }] }],
    ['CREATE_TAG_TYPE', { tagTypes: [{ name: 'brand-new' }] }],
  ])('that needs %s is an Editor’s, and neither an Owner’s nor a Member’s', async (permission, data) => {
    for (const role of ['owner', 'member'] as const) expect(await refused(role, data)).toContain(permission);
    await imported(service, data, { token: tokens.editor });
    // It exists now, so it needs no creation any more.
    for (const role of ['owner', 'member'] as const) await imported(service, data, { token: tokens[role] });
  });

  test('answers 403 before what is wrong with the file and before the environment that does not exist', async () => {
    const data = { features: [{ name: 'has space' }], contextFields: [{ name: 'never-made' }] };
    expect(await refused('member', data, { environment: 'no-such-environment' })).toContain('CREATE_CONTEXT_FIELD');
  });

  test.each(everybody)('of what is no import is a 400 to a token of any role: %s', async (role) => {
    const { status } = await service.post(importPath, { project: 'default' }, { token: tokens[role] });
    expect(status).toBe(400);
  });
});
