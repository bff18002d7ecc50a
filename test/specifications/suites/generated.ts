import { expect, test } from 'vitest';
import { statusOf } from '../../../lib/http/declaration.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import { contractOperation, isOfContract, readContractOperations } from '../generated/contract.ts';
import { eventOf } from '../generated/event.ts';
import { openApiExample, readExample } from '../generated/openapi-example.ts';
import { operationRow, operationsFile } from '../generated/operations-table.ts';
import { outdated, readPart } from '../generated/part.ts';
import type { Trial } from '../trial.ts';

/**
 * Tests the texts about an operation that are generated for readers and tools. It comes first, since its names are
 * those of a new world.
 */
export function testGenerated(trial: Trial): void {
  const { specification } = trial;
  const { operationId } = specification;
  const advice = outdated(operationId);

  test('succeeds with an event of API Gateway, and is in the contract as "npm run generate" writes it', () => {
    const { example, reply } = trial.first;
    const inContract = readContractOperations().find((each) => each.operationId === operationId);
    const wanted = isOfContract(specification) ? contractOperation(specification, example) : undefined;
    expect(inContract, advice).toEqual(wanted);
    expect(reply.status, reply.text).toBe(statusOf(trial.declaration));
  });

  test('has an example in the OpenAPI document, with all that its request and its reply have', () => {
    const { example, reply } = trial.first;
    const wanted = openApiExample(specification, example, reply);
    expect(propertiesIn(readExample(operationId)), advice).toEqual(propertiesIn(wanted));
  });

  test('answers an event that was made by hand, without headers or surroundings, like a request without a token', async () => {
    const example = await (specification.may === 'anyone' ? trial.example() : trial.idleExample());
    const event = { ...eventOf(specification, example), headers: undefined };
    const { endpoint } = trial;
    const context = toContext({ routeKey: event.routeKey, handler: endpoint } as never, 'by-hand');
    const { body, takesForm } = trial.declaration;
    // Only the browser that began a sign-in can complete it, once.
    const withoutBody = specification.again === 401 ? 401 : statusOf(trial.declaration);
    const status = body === undefined && !takesForm ? withoutBody : 415;
    for (const byHand of [event, { ...event, requestContext: {} }, { ...event, requestContext: undefined }]) {
      const { statusCode } = await endpoint(byHand as never, context);
      expect(statusCode).toBe(specification.may === 'anyone' ? status : 401);
    }
  });

  test('stands in functions/README.md, compared with Unleash', () => {
    expect(readPart(operationsFile, 'operations'), advice).toContain(operationRow(specification));
  });
}

/** The properties in a value, each once, whichever element of a list has it. */
function propertiesIn(value: unknown, place = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((each) => propertiesIn(each, `${place}[]`)))].toSorted();
  if (typeof value !== 'object' || value === null) return [place];
  return Object.entries(value)
    .flatMap(([name, member]) => propertiesIn(member, `${place}.${name}`))
    .toSorted();
}
