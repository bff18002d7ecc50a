import { shown } from '../../errors.ts';
import type { Dependency } from '../feature-schema.ts';

/** How many features may depend on one: all of them are shown with it. */
export const childrenMax = 500;

/** What the rules ask of a parent. */
export interface ParentFacts {
  readonly isElsewhere: boolean;
  readonly isArchived: boolean;
  readonly hasParent: boolean;
}

/**
 * What is wrong with a parent. It is live, in the same project, and has no parent itself: that is Unleash's own rule, and
 * it leaves no room for circles. The variants that are named may come later.
 */
export function parentProblems(
  { feature: parent }: Dependency,
  { isElsewhere, isArchived, hasParent }: ParentFacts,
): string[] {
  const name = shown(parent);
  return [
    ...(isElsewhere
      ? [`The parent "${name}" is in another project; a feature depends on features of its own project.`]
      : []),
    ...(isArchived ? [`The parent "${name}" is archived.`] : []),
    ...(hasParent ? [`The parent "${name}" depends on a feature itself, which a parent may not.`] : []),
  ];
}

export function dependsOnItself(child: string): string {
  return `The feature "${shown(child)}" cannot depend on itself.`;
}

export function hasChildren(child: string): string {
  return `The feature "${shown(child)}" has children, so it may not depend on another one.`;
}

export function tooManyChildren(parent: string, total: number): string {
  return `The feature "${shown(parent)}" would have ${total} children, more than ${childrenMax}.`;
}
