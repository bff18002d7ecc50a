import { expect } from 'vitest';
import type { Reply } from '../harness/service.ts';

/** Expects a request to be refused with this status and error name. The advice says what to do where it is not. */
export function expectRefused({ status, body, text }: Reply, expected: number, name: string, advice = ''): void {
  expect({ status, name: body?.name }, `${advice}${text}`).toEqual({ status: expected, name });
}

/** Expects an error to quote nothing that some clients could not carry: no NUL, no half of a surrogate pair. */
export function expectCarriable({ body, text }: Reply): void {
  const details: { message: string; path?: string }[] = body.details;
  const texts = [body.message, ...details.flatMap(({ message, path = '' }) => [message, path])];
  expect(
    texts.filter((each) => each.includes('\0') || !each.isWellFormed()),
    text,
  ).toEqual([]);
}

/** Returns the content of an answer without its own id. */
export function shownBy({ status, headers, body: { id, ...body } }: Reply) {
  const { 'x-request-id': _, ...others } = headers;
  return { status, headers: others, body };
}

/** The places that an error names. */
export function pathsIn({ body }: Reply): (string | undefined)[] {
  return body?.details?.map(({ path }: { path?: string }) => path) ?? [];
}
