import { permitted } from '../../people/rights/caller.ts';
import type { Input, Need, WrittenDeclaration } from '../declaration.ts';
import { authenticationRequired } from './authenticate.ts';
import type { Middleware } from './state.ts';

/** Returns the permissions that a valid request needs. */
export type NeedsOf<D extends WrittenDeclaration> = (
  request: Pick<Input<D>, 'params' | 'body' | 'caller'>,
) => readonly Need[];

/** Answers 403 to a caller who lacks one of the permissions that follow from the path and the body. */
export function needed(needsOf: NeedsOf<WrittenDeclaration>): Middleware {
  return {
    before: function neededBefore({ context }) {
      const { caller } = context;
      if (caller === undefined) throw authenticationRequired();
      for (const { permission, project, environment } of needsOf(context as never)) {
        permitted(caller, [permission].flat(), project, environment);
      }
    },
  };
}
