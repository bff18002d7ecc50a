import { changeEach } from '../../entity/change-each.ts';
import type { Actor } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import { scopeOf, tokenRemoved, tokens } from './tokens.ts';

/** Takes a project out of the scope of all tokens, and deletes those that are for nothing else. */
export function removeProjectFromTokens(request: Request, actor: Actor, project: string): Promise<void> {
  return changeEach(
    request,
    actor,
    tokens,
    (token) => scopeOf(token)?.projects.includes(project) ?? false,
    (token) => {
      const others = scopeOf(token.value)?.projects.filter((other) => other !== project) ?? [];
      return others.length === 0 ? tokenRemoved(token) : tokens.updated(token, { ...token.value, projects: others });
    },
  );
}
