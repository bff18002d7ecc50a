import { expect, test } from 'vitest';
import { isConditional, permissionsOf } from '../../../lib/http/declaration.ts';
import { errorStatusesOf } from '../../../lib/http/openapi.ts';
import { permissions } from '../../../lib/identity/permission-table.ts';
import { pathVariablesOf } from '../example.ts';
import { audienceOfCallers } from '../specification.ts';
import type { Trial } from '../trial.ts';
import { wholeDocument } from '../whole-document.ts';

/** Tests the description of an endpoint, for the code and for readers of the OpenAPI document. */
export function testDocument(trial: Trial): void {
  const { specification } = trial;
  const { declaration } = trial;
  const { method, path, summary, permissionBy, body } = declaration;
  const needed = permissionsOf(declaration);

  test('stands under the route of the contract, and asks for its permission', () => {
    expect(`${method} ${path}`).toBe(specification.route);
    expect(needed).toEqual(specification.needs ?? []);
    for (const each of needed) expect(permissions).toContain(each);
    if (permissionBy !== undefined) expect(needed).not.toEqual([]);
    expect(declaration.audience ?? 'admin').toBe(audienceOfCallers(specification));
  });

  test('is described: in a sentence, under a heading, with its variables, its body and all its answers', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document that its own test holds against OpenAPI's schema.
    const described = (wholeDocument().paths as any)[path][method.toLowerCase()];
    expect(summary).toMatch(/^[A-Z].+\.$/);
    expect(described).toMatchObject({ operationId: specification.operationId, summary, tags: [declaration.group] });
    expect(described.tags[0]).toMatch(/^[A-Z]\w+( \w+)*$/);
    expect(described.parameters.filter((each: { in: string }) => each.in === 'path')).toMatchObject(
      pathVariablesOf(specification.route).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: expect.objectContaining({ type: 'string' }),
      })),
    );
    expect(described.requestBody?.required).toBe(body && !declaration.bodyOptional);
    expect(described.security).toEqual(declaration.audience === 'public' ? [] : undefined);
    for (const each of needed) expect(described.description).toContain(each);

    const unchanged = isConditional(declaration) ? { 304: null } : {};
    const successes = Object.entries({ ...declaration.responses, ...unchanged });
    const errors = errorStatusesOf(declaration).map(String);
    expect(Object.keys(described.responses).toSorted()).toEqual(
      [...successes.map(([status]) => status), ...errors].toSorted(),
    );
    for (const status of errors) {
      const { protocol = '' } = declaration;
      const type = protocol === 'SCIM' ? 'application/scim+json' : 'application/json';
      const name = { OFREP: 'OfrepError', SCIM: 'ScimError' }[protocol as string] ?? 'Error';
      expect(described.responses[status].content[type].schema).toEqual({ $ref: `#/components/schemas/${name}` });
    }
    for (const [status, schema] of successes) {
      expect(described.responses[status].content === undefined).toBe(schema === null);
    }
  });
}
