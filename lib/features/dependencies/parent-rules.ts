import { truncate } from '../../errors.ts';
import type { Dependency } from '../feature-schema.ts';

/** Limit of features that depend on one: all of them are shown with it. */
export const childrenMax = 500;

/** Facts about a parent that the rules need. */
export interface ParentFacts {
  readonly isElsewhere: boolean;
  readonly isArchived: boolean;
  readonly hasParent: boolean;
}

/**
 * Lists the problems of a parent. It must be live, in the same project, and without a parent of its own: that is
 * Unleash's rule, and it leaves no room for cycles. The variants that are named may be added later.
 */
export function parentProblems(
  { feature: parent }: Dependency,
  { isElsewhere, isArchived, hasParent }: ParentFacts,
): string[] {
  const name = truncate(parent);
  return [
    ...(isElsewhere
      ? [`The parent "${name}" is in another project; a feature depends on features of its own project.`]
      : []),
    ...(isArchived ? [`The parent "${name}" is archived.`] : []),
    ...(hasParent ? [`The parent "${name}" depends on a feature itself, which a parent may not.`] : []),
  ];
}

export function dependsOnItself(child: string): string {
  return `The feature "${truncate(child)}" cannot depend on itself.`;
}

export function hasChildren(child: string): string {
  return `The feature "${truncate(child)}" has children, so it may not depend on another one.`;
}

export function tooManyChildren(parent: string, total: number): string {
  return `The feature "${truncate(parent)}" would have ${total} children, more than ${childrenMax}.`;
}
