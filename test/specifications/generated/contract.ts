import { readFileSync } from 'node:fs';
import type { ContractOperation } from '../../contract/operations.ts';
import type { Example } from '../example.ts';
import { audienceOfCallers, type NamedSpecification } from '../specification.ts';

export const contractFile = new URL('../../contract/operations.json', import.meta.url);

const unknown = 'contract-unknown';
/** A request that creates something may be carried out, so that what its body names may exist from then on. */
const named = 'contract-named';
const unknownId = '999999999';

/**
 * A request of an operation for the contract, which knows neither the code nor the store: what a world has made goes by
 * names that no store has.
 */
export function contractOperation(
  { operationId, may, decides, required = [], takesAnyName = [], bodyBytesMax }: NamedSpecification,
  { method, target, body, specified }: Example,
): ContractOperation {
  const [path = '', query] = target.split('?');
  const asked = path
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? unknownId : withoutMade(part, unknown)))
    .join('/');
  return {
    operationId,
    method,
    path: query === undefined ? asked : `${asked}?${withoutTimes(withoutMade(query, unknown))}`,
    ...(body !== undefined && { body: JSON.parse(withoutMade(JSON.stringify(body), named)) }),
    ...(bodyBytesMax !== undefined && { bodyBytesMax }),
    required: decides === undefined ? required.filter((place) => !place.includes('.')).toSorted() : [decides],
    isOpen: may === 'any token',
    // Only its owner asks for what belongs to a caller.
    isOfUnknown: asked !== path && takesAnyName.length === 0 && specified.headers?.authorization === undefined,
  };
}

/** The operations of people and their scripts, that is those that ask for one of the tokens which the contract is given. */
export function isOfContract(specification: NamedSpecification): boolean {
  return audienceOfCallers(specification) === 'admin';
}

export function readContractOperations(): ContractOperation[] {
  return JSON.parse(readFileSync(contractFile, 'utf8'));
}

/** A query with a fixed time for each that is the present, since the file must be the same each time. */
function withoutTimes(query: string): string {
  return query.replaceAll(/\b2\d{3}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d{3}Z/g, '2026-01-01T00%3A00%3A00.000Z');
}

function withoutMade(text: string, name: string): string {
  return text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\b[\da-f]{56}\b/g, '0'.repeat(56))
    .replaceAll(/\b[\da-f]{32}\b/g, '0'.repeat(32))
    .replaceAll(/\b[a-z]+(?:-[a-z]+)*-\d+\b/g, name)
    .replaceAll(/(?<="ids":\[)\d+(?=\])/g, unknownId)
    .replaceAll(/(?<="segments":\[(?:\{"id":)?)\d+/g, '1');
}
