import { beforeEach, describe, expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { releaseTemplates } from '../../../lib/release-plans/templates.ts';
import type { Request } from '../../../lib/request.ts';
import { fillWith, readReleaseStore } from '../../fixtures/release-store.ts';
import { freshTable } from '../../harness/table.ts';
import { test } from '../../specifications/specify.ts';

const id = 'progressive-rollout';

/** Returns the template that a store has, without what differs between two stores. */
async function find(table: Request) {
  const template = await releaseTemplates.find(table, id);
  const isOther = (key: string) => key === 'createdAt' || key === 'id';
  return JSON.parse(JSON.stringify(template?.value, (key, value) => (isOther(key) ? 'other' : value)) ?? 'null');
}

describe('A store of release 0.5.0', () => {
  let table: Request;
  const prepare = () => prepareStore(table, { adminTokens: [] });
  beforeEach(async () => {
    table = await freshTable();
    await fillWith(table, readReleaseStore('0.5.0'));
  });

  test('gets the release template of new stores, also if two processes prepare it', async () => {
    await Promise.all([prepare(), prepare()]);
    const fresh = await freshTable();
    await prepareStore(fresh, { adminTokens: [] });
    expect(await find(table)).toEqual(await find(fresh));
    expect((await releaseTemplates.findHolders(table, 'name', ['Progressive rollout'])).size).toBe(1);
  });

  test('does not get it back once somebody has removed it', async () => {
    await prepare();
    await releaseTemplates.remove(table, systemUser, id);
    await prepare();
    expect(await find(table)).toBeNull();
  });

  test('keeps a template that has its name', async () => {
    const template = { id: 'own', name: 'Progressive rollout', description: '', project: null, createdByUserId: 1 };
    await releaseTemplates.create(table, systemUser, (createdAt) => ({
      ...{ ...template, createdAt, archivedAt: null, milestones: [] },
    }));
    await prepare();
    expect(await find(table)).toBeNull();
    expect(await releaseTemplates.list(table)).toMatchObject([template]);
  });
});
