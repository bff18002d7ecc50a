import fc from 'fast-check';
import { safeParse } from 'valibot';
import { describe, expect, test } from 'vitest';
import { type ImportData, importData } from '../../../lib/imports/import-data-schema.ts';
import { splitImport } from '../../../lib/imports/import-parts.ts';

const bytesMax = 4_000;

const files = fc
  .array(
    fc.record({
      // Texts are given by their lengths, so that counterexamples are found fast.
      description: fc.integer({ min: 0, max: 300 }).map((length) => 'ä'.repeat(length)),
      strategies: fc.array(fc.record({ segment: fc.integer({ min: 1, max: 3 }) }), { maxLength: 3 }),
      tags: fc.array(fc.constantFrom('blue', 'green'), { maxLength: 2 }),
      hasState: fc.boolean(),
      // The distance to the parent in the file, if the feature there can be one.
      parents: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
    }),
    // By default, fast-check would stay so far below the maximum that no file is ever split.
    { maxLength: 60, size: 'max' },
  )
  .map(toFile);

interface Generated {
  description: string;
  strategies: { segment: number }[];
  tags: string[];
  hasState: boolean;
  parents: number[];
}

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
      featureEnvironments: generated.flatMap(({ hasState }, index) =>
        hasState ? [{ name: name(index), enabled: true }] : [],
      ),
      featureTags: generated.flatMap(({ tags }, index) =>
        tags.map((tagValue) => ({ featureName: name(index), tagType: 'simple', tagValue })),
      ),
      segments: [1, 2, 3].map((id) => ({ id, name: `segment-${id}` })),
      contextFields: [{ name: 'country' }],
      tagTypes: [{ name: 'simple' }],
      dependencies: generated.flatMap(({ parents }, index) =>
        parents
          // Every third feature is a parent, which has no parent itself.
          .filter((distance) => index + distance < generated.length && index % 3 > 0 && (index + distance) % 3 === 0)
          .map((distance) => ({ feature: name(index), dependencies: [{ feature: name(index + distance) }] })),
      ),
    },
  });
  return result.output as ImportData;
}

const plain: Generated = { description: '', strategies: [], tags: [], hasState: true, parents: [] };

const members = [
  'features',
  'featureStrategies',
  'featureEnvironments',
  'tagTypes',
  'contextFields',
  'dependencies',
  'featureTags',
] as const;

/** Returns the sorted content of a member in all parts. */
function contentOf(parts: readonly ImportData[], member: (typeof members)[number]): string[] {
  return parts.flatMap(({ data }) => (data[member] ?? []).map((value) => JSON.stringify(value))).toSorted();
}

describe('A file that is split into parts', () => {
  test('has parts that fit into bodies', () => {
    fc.assert(
      fc.property(files, ({ data, ...file }) => {
        const links = data.features.map(({ name }) => ({ feature: name, links: [] }));
        for (const part of splitImport({ ...file, data: { ...data, links } }, bytesMax)) {
          expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(bytesMax);
        }
      }),
    );
  });

  test('has parts with the whole content, and only segments twice', () => {
    fc.assert(
      fc.property(files, (file) => {
        const parts = splitImport(file, bytesMax);
        for (const member of members) expect(contentOf(parts, member)).toEqual(contentOf([file], member));
      }),
    );
  });

  test('has each feature in one part, with everything about it and its segments', () => {
    fc.assert(
      fc.property(files, (file) => {
        for (const { data } of splitImport(file, bytesMax)) {
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

  test('has parents before their children, and otherwise the order of the file', () => {
    fc.assert(
      fc.property(files, (file) => {
        const { features, dependencies } = file.data;
        const parents = new Set(dependencies.flatMap((each) => each.dependencies.map(({ feature }) => feature)));
        const parts = splitImport(file, bytesMax);
        const isFirst = ({ name }: { name: string }) => parts.length === 1 || parents.has(name);
        expect(parts.flatMap(({ data }) => data.features)).toEqual([
          ...features.filter(isFirst),
          ...features.filter((feature) => !isFirst(feature)),
        ]);
      }),
    );
  });

  test('has tags in all parts with features if the file has them, and otherwise in none', () => {
    const large = { ...plain, description: 'x'.repeat(2_000) };
    const file = toFile([large, large, large]);
    const { featureTags: _featureTags, ...data } = file.data;
    const withFeatures = (parts: ImportData[]) => parts.filter((part) => part.data.features.length > 0);
    expect(withFeatures(splitImport(file, bytesMax)).map((part) => part.data.featureTags)).toEqual([[], [], []]);
    expect(withFeatures(splitImport({ ...file, data }, bytesMax)).map((part) => 'featureTags' in part.data)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('has links in all parts with features if the file has them, and otherwise in none', () => {
    const large = { ...plain, description: 'x'.repeat(2_000) };
    const file = toFile([large, large, large]);
    const links = [{ feature: 'feature-1', links: [{ url: 'https://example.com/', title: null }] }];
    const linksOf = (data: object) =>
      splitImport({ ...file, data: { ...file.data, ...data } }, bytesMax)
        .filter((part) => part.data.features.length > 0)
        .map((part) => part.data.links);
    expect(linksOf({ links })).toEqual([[], links, []]);
    expect(linksOf({ links: [] })).toEqual([[], [], []]);
    expect(linksOf({})).toEqual([undefined, undefined, undefined]);
    for (const part of splitImport(file, bytesMax)) expect(part.data).not.toHaveProperty('links');
  });

  test('has shared things before all features', () => {
    const file = toFile(Array.from({ length: 3 }, () => ({ ...plain, description: 'x'.repeat(2_000) })));
    const [shared, ...others] = splitImport(file, bytesMax).map(({ data }) => data);
    const { tagTypes, contextFields, segments } = file.data;
    expect(shared).toMatchObject({ tagTypes, contextFields, segments, features: [], featureStrategies: [] });
    expect(others).toHaveLength(3);
    for (const part of others) expect(part).toMatchObject({ tagTypes: [], contextFields: [], segments: [] });
  });

  test('stays whole if it fits exactly, and is otherwise split into few large parts', () => {
    const file = toFile(Array.from({ length: 30 }, () => plain));
    const bytes = Buffer.byteLength(JSON.stringify(file));
    expect(splitImport(file, bytes)).toEqual([file]);
    expect(splitImport(file, bytes - 1).map(({ data }) => data.features.length)).toEqual([0, 24, 6]);
  });

  test('is refused with a name and both sizes if a feature does not fit into a body', () => {
    const large = { ...plain, description: 'x'.repeat(2_500) };
    const refusal = (...words: string[]) =>
      expect.objectContaining({ name: 'ValidationError', message: expect.stringMatching(words.join('.*')) });
    expect(() => splitImport(toFile([plain, large]), 2_000)).toThrow(
      refusal('"feature-1" alone', '2\\d{3} bytes', ' 2000'),
    );
    const two = toFile([large, large]);
    const sizes = splitImport(two, bytesMax).map((part) => Buffer.byteLength(JSON.stringify(part)));
    expect(splitImport(two, Math.max(...sizes))).toHaveLength(3);
    expect(() => splitImport(two, Math.max(...sizes) - 1)).toThrow(refusal('"feature-0" alone'));
  });
});
