import type { Operation } from '../operations.ts';
import { callers } from './callers.ts';
import { type Credentials, credentialsOfNobody } from './credentials.ts';
import { type AccessRequest, requestsOf } from './requests.ts';
import { expectedOutcome, type Outcome, type Role } from './rights.ts';

/** One request with one header, and what must come of it. */
export interface Cell {
  readonly title: string;
  readonly request: AccessRequest;
  /** The authorization header; null for none. */
  readonly header: string | null;
  readonly expected: Outcome;
}

/** What the cells are made of: what each caller holds, by their name, and some valid token. */
export interface Holdings {
  readonly credentials: ReadonlyMap<string, Credentials>;
  readonly valid: string;
}

/**
 * All cells of an operation: every caller with everything that they hold, alone and after `Bearer`, in every project,
 * and besides them whoever holds nothing. Where no token is needed, the first two callers stand for all.
 */
export function cellsOf(operation: Operation, holdings: Holdings): Cell[] {
  const { operationId, declaration } = operation;
  const asking = declaration.audience === 'public' ? callers.slice(0, 2) : callers;

  return requestsOf(operation).flatMap((request) => {
    const { project } = request;
    const cell = (who: string, header: string | null, role?: Role): Cell => ({
      title: `${who} in ${project}`,
      request,
      header,
      expected: expectedOutcome(operationId, role),
    });
    const bothWays = (who: string, token: string, role?: Role) => [
      cell(who, token, role),
      cell(`${who}, after Bearer,`, `Bearer ${token}`, role),
    ];
    const ofCallers = asking.flatMap(({ name, as }) =>
      Object.entries(holdings.credentials.get(name) ?? {}).flatMap(([kind, token]) =>
        bothWays(`${name} with a token ${kind}`, token, kind === 'that is valid' ? as[project] : undefined),
      ),
    );
    const ofNobody = Object.entries(credentialsOfNobody(holdings.valid)).flatMap(([kind, token]) =>
      bothWays(`nobody with ${kind}`, token),
    );
    return [...ofCallers, ...ofNobody, cell('nobody without a header', null)];
  });
}
