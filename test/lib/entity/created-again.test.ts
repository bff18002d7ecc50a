import { describe, expect, test } from 'vitest';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService();

interface Named {
  readonly kind: string;
  readonly create: readonly [path: string, body: object];
  /** The path of its deletion. */
  readonly at: string;
  readonly update: readonly [path: string, body: object];
}

/** All kinds of things whose ids are names, which a later thing can have again. */
const named: readonly Named[] = [
  {
    kind: 'environment',
    create: ['/environments', { name: 'lab', type: 'test' }],
    at: '/environments/lab',
    update: ['/environments/update/lab', { type: 'development' }],
  },
  {
    kind: 'context field',
    create: ['/context', { name: 'region' }],
    at: '/context/region',
    update: ['/context/region', { description: 'Where they are' }],
  },
  {
    kind: 'tag type',
    create: ['/tag-types', { name: 'team' }],
    at: '/tag-types/team',
    update: ['/tag-types/team', { description: 'Whose it is' }],
  },
  {
    kind: 'strategy type',
    create: ['/strategies', { name: 'beta', parameters: [] }],
    at: '/strategies/beta',
    update: ['/strategies/beta', { description: 'For the brave', parameters: [] }],
  },
  {
    kind: 'project',
    create: ['/projects', { id: 'shop', name: 'Shop' }],
    at: '/projects/shop',
    update: ['/projects/shop', { name: 'The shop' }],
  },
  {
    kind: 'feature',
    create: ['/projects/default/features', { name: 'one' }],
    at: '/archive/one',
    update: ['/projects/default/features/one', { description: 'The first' }],
  },
];

describe('A change with `If-Match`', () => {
  test.each(named)(
    'of a $kind does not change a later one with the same name',
    async ({ kind, create, at, update }) => {
      const call = (method: string, path: string, body?: object, etag?: string) =>
        service.call(method, `/api/admin${path}`, {
          ...(body && { body }),
          headers: { ...(etag !== undefined && { 'if-match': etag }) },
        });
      const created = await call('POST', ...create);
      expect(created.status).toBe(201);
      const { etag = '' } = created.headers;
      expect((await call('PUT', ...update, etag)).status).toBe(200);
      if (kind === 'feature') await call('DELETE', '/projects/default/features/one');
      expect((await call('DELETE', at)).status).toBeLessThan(300);

      await nextMillisecond();
      const again = await call('POST', ...create);
      expect(again.status).toBe(201);
      expect(again.headers.etag).not.toBe(etag);
      expect((await call('PUT', ...update, etag)).status).toBe(412);
      expect((await call('PUT', ...update, again.headers.etag)).status).toBe(200);
    },
  );
});
