import { expect } from 'vitest';
import type { Answer, Service } from '../../../harness/service.ts';
import { type Operation, operations } from '../operations.ts';
import type { Cell } from './cells.ts';
import { requestsOf } from './requests.ts';
import { expectedOutcome, type Role } from './rights.ts';

/** Which cells turned out another way than they must. */
export function wrongCells(cells: readonly Pick<Cell, 'title' | 'expected'>[], answers: readonly Answer[]): string[] {
  return cells.flatMap(({ title, expected }, index) => {
    const outcome = outcomeOf(answers[index] as Answer);
    return outcome === expected ? [] : [`${title}: ${outcome} instead of ${expected}`];
  });
}

/** What has been done by an equal request before is a conflict, or is not there any more. */
function outcomeOf({ status, body }: Answer): string {
  return [200, 201, 404, 409].includes(status) ? 'let in' : `${status} ${body?.name}`;
}

/** The different errors among answers, without what differs from one to the next. */
export function errorsToldBy(answers: readonly Answer[]): string[] {
  return [...new Set(answers.map(({ body: { id, ...told } }) => JSON.stringify(told)))];
}

/** Those that need a token. */
export const guardedOperations: readonly Operation[] = operations.filter(
  ({ declaration }) => declaration.audience !== 'public',
);

/** Holds what comes of a token against the rights of a role in the project `shop`; without one, it is to be refused. */
export async function expectRights(
  service: Service,
  token: string,
  role: Role | undefined,
  among = guardedOperations,
): Promise<void> {
  const answers: Answer[] = [];
  for (const operation of among) {
    const [request] = requestsOf(operation);
    answers.push(await service.call(operation.method, request?.target ?? '', { token, body: request?.body }));
  }
  const cells = among.map(({ operationId }) => ({ title: operationId, expected: expectedOutcome(operationId, role) }));
  expect(wrongCells(cells, answers)).toEqual([]);
}
