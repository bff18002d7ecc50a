import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, expectRefusal } from '../client.ts';
import { contractOperations } from '../operations.ts';

/** Promises of the service as a whole. */
export function checkService(client: () => Client): void {
  describe('the service', () => {
    test('tells anybody that it is up', async () => {
      expect(bodyOf(await client().get('/health', { token: null }))).toMatchObject({ health: 'GOOD' });
    });

    test('describes every operation of the contract to anybody, with the path that it has here', async () => {
      const document = bodyOf<{ openapi: string; paths: Record<string, Record<string, { operationId: string }>> }>(
        await client().get('/docs/openapi.json', { token: null }),
      );
      expect(document.openapi).toBe('3.1.0');
      const described = Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).map(({ operationId }) => operationId),
      );
      expect(described).toEqual(expect.arrayContaining(contractOperations.map(({ operationId }) => operationId)));
    });

    test('takes a token alone, and after Bearer', async () => {
      for (const token of [client().adminToken, `Bearer ${client().adminToken}`, client().viewerToken]) {
        expect(await client().get('/api/admin/environments', { token })).toMatchObject({ status: 200 });
      }
    });

    test('answers 404 to a path that it does not have, and 401 to a request without a token there', async () => {
      for (const path of ['/api/admin/unknown', '/api/admin/environments/development/unknown']) {
        expectRefusal(await client().get(path), 404, 'NotFoundError');
        expectRefusal(await client().get(path, { token: null }), 401, 'AuthenticationRequired');
      }
    });

    test('answers 405 to a method that a path does not have, with those that it has', async () => {
      const calls = [
        ['DELETE', '/api/admin/feature-types', 'GET, HEAD, OPTIONS'],
        ['PATCH', '/api/admin/events/any', 'GET, HEAD, OPTIONS'],
        ['GET', '/api/admin/features-batch/import', 'POST, OPTIONS'],
        ['PUT', '/api/admin/auth/saml/settings', 'GET, HEAD, POST, OPTIONS'],
      ] as const;
      for (const [method, path, allow] of calls) {
        const answer = await client().call(method, path);
        expectRefusal(answer, 405, 'MethodNotAllowed');
        expect(answer.headers.get('allow')).toBe(allow);
      }
    });

    test('answers HEAD as it answers GET, without the body', async () => {
      for (const path of ['/health', '/api/admin/environments']) {
        const { status, text } = await client().call('HEAD', path);
        expect({ status, text }).toEqual({ status: 200, text: '' });
      }
      expect((await client().call('HEAD', '/api/admin/projects/unknown')).status).toBe(404);
    });

    test('decodes a name in a path once', async () => {
      expect(bodyOf(await client().get('/api/admin/events/%66oo'))).toMatchObject({ toggleName: 'foo' });
      expect(bodyOf(await client().get('/api/admin/events/%2566oo'))).toMatchObject({ toggleName: '%66oo' });
    });

    test('answers 400 to a bad percent escape', async () => {
      expectRefusal(await client().get('/api/admin/events/%zz'), 400, 'ValidationError');
    });

    test('gives every answer an id of its own, and keeps it from caches and guesses about its type', async () => {
      const ids = new Set<string | null>();
      for (const path of ['/health', '/api/admin/environments', '/api/admin/unknown']) {
        const { headers } = await client().get(path);
        ids.add(headers.get('x-request-id'));
        expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(headers.get('cache-control')).toContain('no-store');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
      }
      expect([...ids].filter((id) => id !== null && id !== '')).toHaveLength(3);
    });
  });
}
