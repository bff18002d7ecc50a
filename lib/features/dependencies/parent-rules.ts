import { truncate } from '../../errors.ts';
import type { Dependency } from '../feature-schema.ts';

/** The most features that can depend on one feature, since replies about the parent list all of them. */
export const childrenMax = 500;

/** The facts about a parent that the rules depend on. */
export interface ParentFacts {
  /** True if the parent is in another project. */
  readonly isElsewhere: boolean;
  readonly isArchived: boolean;
  readonly hasParent: boolean;
}

/**
 * Lists the problems of a parent. As on Unleash, a parent must be live, in the same project, and without a parent of its
 * own, which also prevents cycles. The variants of the condition need not exist yet.
 */
export function listParentProblems(
  { feature: parent }: Dependency,
  { isElsewhere, isArchived, hasParent }: ParentFacts,
): string[] {
  const name = truncate(parent);
  return [
    ...(isElsewhere
      ? [`The parent "${name}" is in another project; a feature can depend on features of its own project only.`]
      : []),
    ...(isArchived ? [`The parent "${name}" is archived.`] : []),
    ...(hasParent ? [`The parent "${name}" depends on another feature itself, so it cannot be a parent.`] : []),
  ];
}

export function selfDependencyMessage(child: string): string {
  return `The feature "${truncate(child)}" cannot depend on itself.`;
}

export function hasChildrenMessage(child: string): string {
  return `The feature "${truncate(child)}" has children, so it cannot depend on another feature.`;
}

export function tooManyChildrenMessage(parent: string, total: number): string {
  return `The feature "${truncate(parent)}" would have ${total} children, more than ${childrenMax}.`;
}
