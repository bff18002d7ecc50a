import fc from 'fast-check';
import { safeParse } from 'valibot';
import { describe, expect, test } from 'vitest';
import { importParts } from '../../../lib/imports/import-parts.ts';
import { type ImportData, importData } from '../../../lib/schemas/import-data.ts';

const bytesMax = 4_000;

const files = fc
  .array(
    fc.record({
      description: fc.string({ maxLength: 300 }),
      strategies: fc.array(fc.record({ segment: fc.integer({ min: 1, max: 3 }) }), { maxLength: 3 }),
      tags: fc.array(fc.constantFrom('blue', 'green'), { maxLength: 2 }),
      // How far on in the file the parent stands.
      parents: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 1 }),
    }),
    { maxLength: 60 },
  )
  .map(toFile);

type Generated = { description: string; strategies: { segment: number }[]; tags: string[]; parents: number[] };

function toFile(generated: Generated[]): ImportData {
  const name = (index: number) => `feature-${index}`;
  const result = safeParse(importData, {
    project: 'default',
    environment: 'development',
    data: {
      features: generated.map(({ description }, index) => ({ name: name(index), description })),
      featureStrategies: generated.flatMap(({ strategies }, index) =>
        strategies.map(({ segment }) => ({ name: 'default', featureName: name(index), segments: [segment] })),
      ),
      featureEnvironments: generated.map((_each, index) => ({ name: name(index), enabled: true })),
      featureTags: generated.flatMap(({ tags }, index) =>
        tags.map((tagValue) => ({ featureName: name(index), tagType: 'simple', tagValue })),
      ),
      segments: [1, 2, 3].map((id) => ({ id, name: `segment-${id}` })),
      contextFields: [{ name: 'country' }],
      tagTypes: [{ name: 'simple' }],
      dependencies: generated.flatMap(({ parents }, index) =>
        parents
          .filter((distance) => index + distance < generated.length)
          .map((distance) => ({ feature: name(index), dependencies: [{ feature: name(index + distance) }] })),
      ),
    },
  });
  return result.output as ImportData;
}

const members = [
  'features',
  'featureStrategies',
  'featureEnvironments',
  'tagTypes',
  'dependencies',
  'featureTags',
] as const;

/** What a member holds over all parts, in an order of its own. */
function contentOf(parts: readonly ImportData[], member: (typeof members)[number]): string[] {
  return parts.flatMap(({ data }) => (data[member] ?? []).map((value) => JSON.stringify(value))).toSorted();
}

describe('A file that is cut into parts', () => {
  test('fits into the bodies, part by part', () => {
    fc.assert(
      fc.property(files, (file) => {
        for (const part of importParts(file, bytesMax)) {
          expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(bytesMax);
        }
      }),
    );
  });

  test('holds all that the file holds, and nothing twice but segments', () => {
    fc.assert(
      fc.property(files, (file) => {
        const parts = importParts(file, bytesMax);
        for (const member of members) expect(contentOf(parts, member)).toEqual(contentOf([file], member));
      }),
    );
  });

  test('has each feature in one part with all that is said of it, and the segments that it names', () => {
    fc.assert(
      fc.property(files, (file) => {
        for (const { data } of importParts(file, bytesMax)) {
          const names = new Set(data.features.map(({ name }) => name));
          const segments = new Set(data.segments.map(({ id }) => id));
          for (const { featureName, segments: used = [] } of data.featureStrategies) {
            expect(names.has(featureName)).toBe(true);
            expect(used.every((id) => segments.has(id))).toBe(true);
          }
          for (const { feature } of data.dependencies) expect(names.has(feature)).toBe(true);
        }
      }),
    );
  });

  test('has no feature before its parents', () => {
    fc.assert(
      fc.property(files, (file) => {
        const sent = new Set<string>();
        for (const { data } of importParts(file, bytesMax)) {
          for (const { name } of data.features) sent.add(name);
          for (const { dependencies } of data.dependencies) {
            for (const { feature } of dependencies) expect(sent.has(feature)).toBe(true);
          }
        }
      }),
    );
  });

  test('speaks of tags in every part with features where the file does, and in none where it does not', () => {
    const large = { description: 'x'.repeat(2_000), strategies: [], tags: [], parents: [] };
    const file = toFile([large, large, large]);
    const { featureTags: _featureTags, ...data } = file.data;
    const withFeatures = (parts: ImportData[]) => parts.filter((part) => part.data.features.length > 0);
    expect(withFeatures(importParts(file, bytesMax)).map((part) => part.data.featureTags)).toEqual([[], [], []]);
    expect(withFeatures(importParts({ ...file, data }, bytesMax)).map((part) => 'featureTags' in part.data)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('stays whole where it fits', () => {
    const file = toFile([{ description: '', strategies: [], tags: [], parents: [] }]);
    expect(importParts(file, bytesMax)).toEqual([file]);
  });
});
