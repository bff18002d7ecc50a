import type { ReadyOperation } from './operations.ts';
import type { HostileRequest } from './request.ts';

/** The names that a world has made, and ids. */
const made = /\b[a-z]+(?:-[a-z]+)*-\d+\b|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Redirects a request made from one example of an operation to the subject of another example. */
export function aimed(request: HostileRequest, from: ReadyOperation, to: ReadyOperation): HostileRequest {
  if (from === to) return request;
  const names = new Map([...namesIn(from).entries()].map(([index, name]) => [name, namesIn(to)[index] ?? name]));
  const renamed = (text: string) => text.replaceAll(made, (name) => names.get(name) ?? name);
  const segments = from.target
    .split('/')
    .map((segment, index) => [segment, to.target.split('/')[index] ?? ''] as const);
  const ids = new Map(segments.filter(([segment]) => /^\d+$/.test(segment)));
  const target = renamed(request.target)
    .split('/')
    .map((segment) => ids.get(segment) ?? segment)
    .join('/');
  const { body } = request;
  return { ...request, target, body: typeof body === 'string' ? renamed(body) : body };
}

function namesIn({ target, body = '' }: ReadyOperation): string[] {
  return `${target} ${body}`.match(made) ?? [];
}
