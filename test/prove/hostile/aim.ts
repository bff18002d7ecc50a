import type { ReadyOperation } from './operations.ts';
import type { HostileRequest } from './request.ts';

/** The names that a world has made, and ids. */
const made = /\b[a-z]+(?:-[a-z]+)*-\d+\b|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Redirects a request made from one example of an operation to the subject of another example. */
export function aimed(request: HostileRequest, from: ReadyOperation, to: ReadyOperation): HostileRequest {
  if (from === to) return request;
  const names = new Map([...namesIn(from).entries()].map(([index, name]) => [name, namesIn(to)[index] ?? name]));
  const renamed = (text: string) => text.replaceAll(made, (name) => names.get(name) ?? name);
  const [before, now] = [from, to].map(({ target }) => target.split('/')) as [string[], string[]];
  const ids = new Map(before.flatMap((segment, index) => (isId(segment) ? [[segment, now[index] ?? segment]] : [])));
  // Two ids of a path may be the same number.
  const idFor = (id: string, index: number) => (id === before[index] ? now[index] : ids.get(id));
  const target = renamed(request.target)
    .split('/')
    .map((segment, index) => (isId(segment) && idFor(segment, index)) || segment)
    .join('/');
  const { body } = request;
  return {
    ...request,
    target,
    headers: asked(request.headers, from, to),
    body: typeof body === 'string' ? renamed(body) : body,
  };
}

const isId = (segment: string) => /^\d+$/.test(segment);

function namesIn({ target, body = '' }: ReadyOperation): string[] {
  return `${target} ${body}`.match(made) ?? [];
}

/** The headers with the token of another example, which its store knows, and whose owner may do what it does. */
function asked(
  headers: HostileRequest['headers'],
  from: ReadyOperation,
  to: ReadyOperation,
): HostileRequest['headers'] {
  const [before = '', now = ''] = [from, to].map((example) => example.headers.authorization);
  if (before === '') return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(before, now)]));
}
