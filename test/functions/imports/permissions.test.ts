import { beforeAll, describe, expect, test } from 'vitest';
import {
  type FileData,
  type ImportOptions,
  imported,
  importSeed,
  sendImport,
  tokensOfRoles,
  writesNothing,
} from '../../harness/imports.ts';
import { sharedService } from '../../specifications/specify.ts';

let tokens: Awaited<ReturnType<typeof tokensOfRoles>>;
const service = sharedService(importSeed);
beforeAll(async () => {
  tokens = await tokensOfRoles(service);
});

async function refused(role: keyof typeof tokens, data: FileData, options: ImportOptions = {}) {
  const answer = await writesNothing(service, () => sendImport(service, data, { ...options, token: tokens[role] }));
  expect([answer.status, answer.body.name]).toEqual([403, 'NoAccessError']);
  return answer.body.message as string;
}

// test/lib/imports/import-permissions.test.ts has what needs which permission.
describe('An import', () => {
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
});
