import { beforeAll, describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { addFeatures } from '../../harness/features.ts';
import { changesBetween, snapshot } from '../../harness/items.ts';
import { sharedService } from '../../specifications/specify.ts';
import { addCallers, callers, testProjects } from './callers.ts';
import { credentialsOf, expectRights, featureIn, worthlessHeaders } from './rights.ts';

/**
 * Every specification says which roles may call its operation, and proves it with one caller of each role. Here is who
 * has these roles, with all that they may hold, for one operation of each kind.
 */
const service = sharedService(readSeed({ projects: [{ id: 'shop', environments: ['development'] }] }));
beforeAll(async () => {
  for (const project of testProjects) await addFeatures(service, [featureIn[project]], { project });
  await addCallers(service.table);
});

describe.each(callers)('$name', (caller) => {
  test('has the rights of the best role that they hold in a project, with a valid token', async () => {
    const { valid, worthless } = await credentialsOf(service.table, caller);
    const headers = { shop: valid, default: `Bearer ${valid}` };
    for (const project of testProjects) await expectRights(service, headers[project], caller.as[project], { project });
    const before = await snapshot(service.table);
    for (const header of worthless) await expectRights(service, header, undefined);
    expect(changesBetween(before, await snapshot(service.table))).toEqual([]);
  });
});

test.each(Object.keys(worthlessHeaders('valid')))('Nobody has any right with %s', async (title) => {
  const header = worthlessHeaders(service.adminToken)[title] ?? null;
  for (const each of header === null ? [header] : [header, `Bearer ${header}`]) {
    await expectRights(service, each, undefined);
  }
});
