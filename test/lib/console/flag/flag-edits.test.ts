import { afterEach, describe, expect, test, vi } from 'vitest';
import { type FlagEdits, listFlagEditProblems, sendFlagEdits } from '../../../../lib/console/flag/flag-edits.ts';

const before: FlagEdits = {
  description: 'About it',
  type: 'release',
  impressionData: false,
  tags: [{ type: 'simple', value: 'old' }],
  links: [
    { id: '1', url: 'https://example.com/1', title: '' },
    { id: '2', url: 'https://example.com/2', title: 'Two' },
  ],
};

/** Stands for the service: each change makes the next version. @returns the changes that it gets. */
function listenToChanges() {
  const sent: { readonly call: string; readonly version: string | null; readonly body: unknown }[] = [];
  vi.stubGlobal('fetch', async (path: string, { method, headers, body }: RequestInit) => {
    const version = new Headers(headers).get('if-match');
    sent.push({ call: `${method} ${path}`, version, body: body === undefined ? undefined : JSON.parse(String(body)) });
    return new Response(null, { status: 204, headers: { etag: `"${sent.length + 1}"` } });
  });
  return sent;
}

const flag = { project: 'default', name: 'checkout' };
const path = '/api/admin/projects/default/features/checkout';

describe('The edits of a flag', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('are sent one after the other, each of the version that the one before has made', async () => {
    const sent = listenToChanges();
    const after: FlagEdits = {
      ...before,
      description: '',
      tags: [{ type: 'team', value: 'shop' }],
      links: [
        { id: '2', url: 'https://example.com/2', title: 'Second' },
        { url: ' https://example.com/3', title: '' },
      ],
    };
    await sendFlagEdits(flag, { value: before, etag: '"1"' }, after);
    expect(sent).toEqual([
      { call: `PUT ${path}`, version: '"1"', body: { description: null, type: 'release', impressionData: false } },
      {
        call: 'PUT /api/admin/features/checkout/tags',
        version: '"2"',
        body: { addedTags: after.tags, removedTags: before.tags },
      },
      { call: `DELETE ${path}/link/1`, version: '"3"', body: undefined },
      { call: `PUT ${path}/link/2`, version: '"4"', body: { url: 'https://example.com/2', title: 'Second' } },
      { call: `POST ${path}/link`, version: '"5"', body: { url: 'https://example.com/3', title: null } },
    ]);
  });

  test('send nothing where nothing has changed', async () => {
    const sent = listenToChanges();
    await sendFlagEdits(flag, { value: before, etag: '"1"' }, { ...before, tags: [...before.tags] });
    expect(sent).toEqual([]);
  });

  test('have problems with links that browsers would not open as pages', () => {
    const links = [
      { url: 'javascript:alert(1)', title: '' },
      { url: '', title: 'x' },
      { url: 'HTTPS://a', title: '' },
    ];
    expect(listFlagEditProblems({ ...before, links })).toEqual([
      'The address “javascript:alert(1)” does not begin with https:// or http://.',
      'The address of a link is missing.',
    ]);
  });
});
