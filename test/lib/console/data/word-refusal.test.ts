import { afterEach, expect, test, vi } from 'vitest';
import { sendRequest } from '../../../../lib/console/data/client.ts';

afterEach(() => vi.unstubAllGlobals());

const refused = 'You need the permission "UPDATE_FEATURE" to do this.';

async function refusalOf(status: number): Promise<unknown> {
  const body = JSON.stringify({ name: 'NoAccessError', message: refused, details: [{ message: refused }] });
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
  return sendRequest('PUT', '/api/admin/projects').catch((error: unknown) => error);
}

test('A refusal names permissions by the words of the page of a role', async () => {
  const message = 'You need the permission “Edit flags: description, type, tags, links, stale” to do this.';
  expect(await refusalOf(403)).toMatchObject({ message, details: [{ message }] });
});

test('Other errors keep what the service writes', async () => {
  expect(await refusalOf(400)).toMatchObject({ message: refused });
});
