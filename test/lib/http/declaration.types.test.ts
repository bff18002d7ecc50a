import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import type { WrittenDeclaration } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import type { Body, Input, Result } from '../../../lib/http/handler-types.ts';
import { type Caller, type PermittedCaller, requirePermission } from '../../../lib/identity/caller.ts';
import { setMaintenance } from '../../../lib/settings/maintenance.ts';
import type { Versioned } from '../../../lib/store/transactions/versioned.ts';
import { object } from '../../../lib/values/primitives.ts';

// The compiler is the test: `npm run check` fails where a line below compiles that should not, and the other way round.

const lamp = object({ name: v.string(), colours: v.array(v.string()) });
type Lamp = v.InferOutput<typeof lamp>;
const declared = { route: 'PUT /lamps/{room}/{lamp}', group: 'Lamps', summary: 'Changes a lamp.' } as const;

const aLamp: Lamp = { name: 'desk', colours: [] };
const tagged = { ...declared, etag: true, responses: { 200: lamp } } as const;
const changeLamp = async (): Promise<Versioned<Lamp>> => ({ value: aLamp, version: 1 });

describe('A declaration gives its handler', () => {
  test('the parameters of its path, by name', () => {
    endpoint({ ...declared, responses: { 200: null } }).handle(async ({ params }) => {
      expectTypeOf(params).toEqualTypeOf<Readonly<Record<'room' | 'lamp', string>>>();
    });
    endpoint({ ...declared, route: 'PUT /lamps', responses: { 200: null } }).handle(async ({ params }) => {
      expectTypeOf<keyof typeof params>().toBeNever();
    });
  });

  test('the query and the body that its schemas make of what is sent, an array for JSON Patch', () => {
    const query = object({ limit: v.pipe(v.string(), v.transform(Number)) });
    const body = v.array(object({ op: v.literal('remove'), path: v.string() }));
    endpoint({ ...declared, query, body, bodyType: 'application/json-patch+json', responses: { 200: null } }).handle(
      async (request) => {
        expectTypeOf(request.query).toEqualTypeOf<{ limit: number }>();
        expectTypeOf(request.body).toEqualTypeOf<{ op: 'remove'; path: string }[]>();
      },
    );
    endpoint({ ...declared, responses: { 200: null } }).handle(async (request) => {
      expectTypeOf(request.query).toBeUndefined();
      expectTypeOf(request.body).toBeUndefined();
    });
  });

  test('the caller where a user is needed, with a permission or without one', () => {
    type CallerOf<D extends WrittenDeclaration> = Input<D>['caller'];
    expectTypeOf<CallerOf<WrittenDeclaration & { permission: 'ADMIN' }>>().toEqualTypeOf<PermittedCaller>();
    expectTypeOf<CallerOf<WrittenDeclaration & { permission: 'NONE' }>>().toEqualTypeOf<PermittedCaller>();
    endpoint({ ...declared, responses: { 200: null } }).handle(async ({ caller }) => {
      expectTypeOf(caller).toBeUndefined();
    });
  });

  test('a caller who makes no change before they were asked for a permission', () => {
    const asksLater = { ...declared, permission: 'ADMIN', permissionBy: 'store', responses: { 200: null } } as const;
    endpoint(asksLater).handle(async ({ request, caller }) => {
      expectTypeOf(caller).toEqualTypeOf<Caller>();
      // @ts-expect-error: nobody has asked yet.
      await setMaintenance(request, caller, true);
      await setMaintenance(request, requirePermission(caller, ['ADMIN']), true);
    });
    const asksByBody = { ...asksLater, permissionBy: 'body' } as const;
    // @ts-expect-error: what the body decides has to be said.
    endpoint(asksByBody).handle(async () => {});
    endpoint(asksByBody)
      .needs(({ params }) => [{ permission: 'ADMIN', project: params.room }])
      .handle(async ({ request, caller }) => void (await setMaintenance(request, caller, true)));
  });
});

// The accepted declarations need no test: the endpoints would not compile otherwise.

test('A handler results in the body of the one status of success, and in nothing where the reply has none', () => {
  // @ts-expect-error a property is missing
  endpoint({ ...declared, responses: { 201: lamp } }).handle(async () => ({ name: 'desk' }));
  // @ts-expect-error a body is missing
  endpoint({ ...declared, responses: { 201: lamp } }).handle(async () => {});
  // @ts-expect-error nothing is declared
  endpoint({ ...declared, responses: { 204: null } }).handle(async () => aLamp);
  const csv = {
    ...declared,
    route: 'GET /lamps/{room}/{lamp}',
    contentType: 'text/csv',
    responses: { 200: v.string() },
  } as const;
  // @ts-expect-error an object is no text
  endpoint(csv).handle(async () => aLamp);
});

test('A handler results in something versioned where the reply has an ETag, and only there', () => {
  // @ts-expect-error the version is missing, so that nothing has checked the one that the caller expects
  endpoint(tagged).handle(async () => aLamp);
  // @ts-expect-error the ETag is not declared
  endpoint({ ...declared, responses: { 200: lamp } }).handle(changeLamp);
  expectTypeOf<Result<typeof tagged, Lamp>>().toEqualTypeOf<Versioned<Lamp>>();
  expectTypeOf<Result<typeof declared & { responses: { 200: null } }, Lamp>>().toEqualTypeOf<Lamp>();
});

test('What a handler says of its reply besides is no status, and a body of the declared shape alone', () => {
  const watts = async () => ({ value: 7, version: 1 });
  // @ts-expect-error a number is no lamp
  endpoint(tagged).handle(watts, () => ({ headers: {} }));
  // @ts-expect-error a number is no lamp
  endpoint(tagged).handle(watts, (body) => ({ body }));
  // @ts-expect-error the declaration has the status
  endpoint(tagged).handle(changeLamp, () => ({ status: 201 }));
  endpoint({ ...declared, responses: { 204: null } }).handle(
    async () => {},
    // @ts-expect-error nothing is declared
    () => ({ body: aLamp }),
  );
});

test('A declaration names statuses, permissions, audiences and errors that exist', () => {
  endpoint({ ...declared, responses: { 202: null }, audience: 'frontend', errors: [403, 409] });
  // @ts-expect-error
  endpoint({ ...declared, responses: { 203: null } });
  // @ts-expect-error
  endpoint({ ...declared, responses: { 200: null }, permission: 'LAUGH' });
  // @ts-expect-error
  endpoint({ ...declared, responses: { 200: null }, audience: 'cats' });
  // @ts-expect-error
  endpoint({ ...declared, responses: { 200: null }, errors: [418] });
  expectTypeOf<Body<typeof declared & { responses: { 304: null; 200: typeof lamp } }>>().toExtend<object>();
});
