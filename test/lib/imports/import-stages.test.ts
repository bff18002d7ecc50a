import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeatureChange } from '../../../lib/features/feature-change.ts';
import { inStages } from '../../../lib/imports/import-stages.ts';

/** A change of the feature `name`; only what decides on its stage is there. */
function change(name: string, parents: readonly string[], isNew = true): FeatureChange {
  const dependencies = parents.map((feature) => ({ feature, enabled: true, variants: [] }));
  const after = { name, dependencies } as unknown as FeatureChange['after'];
  return { stored: isNew ? undefined : ({ feature: after } as FeatureChange['stored']), after, events: [] };
}

const namesOf = (stages: readonly FeatureChange[][]) => stages.map((stage) => stage.map(({ after }) => after.name));

const changes = fc
  .array(fc.record({ parents: fc.array(fc.nat(14), { maxLength: 3 }), isNew: fc.boolean() }), { maxLength: 15 })
  .map((list) =>
    list.map(({ parents, isNew }, index) =>
      change(
        `f${index}`,
        parents.map((parent) => `f${parent}`),
        isNew,
      ),
    ),
  );

describe('The stages of an import', () => {
  test('are one where nothing depends on anything new, and none where there is nothing to do', () => {
    expect(inStages([])).toEqual([]);
    expect(namesOf(inStages([change('a', []), change('b', ['elsewhere']), change('c', ['d'])]))).toEqual([
      ['a', 'b', 'c'],
    ]);
  });

  test('put parents before children, whatever the order of the file', () => {
    const file = [change('child', ['parent']), change('parent', ['grandparent']), change('grandparent', [])];
    expect(namesOf(inStages(file))).toEqual([['grandparent'], ['parent'], ['child']]);
  });

  test('do not wait for a parent that exists already', () => {
    expect(namesOf(inStages([change('child', ['parent']), change('parent', [], false)]))).toEqual([
      ['child', 'parent'],
    ]);
  });

  test('end with those that depend on each other in a circle, together with what depends on them', () => {
    const file = [change('a', ['b']), change('b', ['a']), change('after', ['a']), change('free', [])];
    expect(namesOf(inStages(file))).toEqual([['free'], ['a', 'b', 'after']]);
  });

  test('hold each change once, none of them empty, and no new parent after its child unless in a circle', () => {
    fc.assert(
      fc.property(changes, (file) => {
        const stages = inStages(file);
        expect(stages.flat().length).toBe(file.length);
        expect(new Set(stages.flat())).toEqual(new Set(file));
        for (const stage of stages) expect(stage.length).toBeGreaterThan(0);
        const stageOf = new Map(stages.flatMap((stage, index) => stage.map(({ after }) => [after.name, index])));
        const newOnes = new Set(file.filter(({ stored }) => stored === undefined).map(({ after }) => after.name));
        for (const { after } of stages.slice(0, -1).flat()) {
          for (const { feature } of after.dependencies.filter((each) => newOnes.has(each.feature))) {
            expect(stageOf.get(feature)).toBeLessThan(stageOf.get(after.name) as number);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
