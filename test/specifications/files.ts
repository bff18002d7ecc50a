import { type FiledFeature, importOf } from '../harness/import-file.ts';
import type { World } from '../harness/world.ts';

/** Features of files to import. */

interface FeatureParts extends Pick<FiledFeature, 'parents' | 'variants'> {
  readonly tags?: readonly string[];
  readonly strategy?: string;
  readonly fields?: object;
}

const blue = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];

/** A feature that is on, with variants and tags of a type that the file brings along, and with parents. */
export function filedFeature(name: string, parts: FeatureParts = {}): FiledFeature {
  const { tags = [], parents = [], strategy = 'flexibleRollout', variants = blue, fields } = parts;
  const ofOrigin = tags.map((value) => ({ type: 'origin', value }));
  return { name, ...fields, enabled: true, strategies: [{ name: strategy }], variants, tags: ofOrigin, parents };
}

/**
 * Features that are on, under names that a world gives to nothing else. Every tenth has a tag and a parent, which must be
 * there before it.
 */
export function manyFeatures(count: number): FiledFeature[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `imported-${index + 1}`;
    if (index % 10 === 9) return filedFeature(name, { tags: [`tag-${index}`], parents: [`imported-${index}`] });
    return filedFeature(name, { variants: [] });
  });
}

/** The body of an import of these, into the home of a world. */
export function importFile({ home }: World, features: readonly FiledFeature[]): object {
  const further = { tagTypes: [{ name: 'origin', description: 'Where it comes from' }] };
  return importOf(features, { project: home.projectId, environment: home.environment, further });
}
