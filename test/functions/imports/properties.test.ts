import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFeature } from '../../harness/features.ts';
import {
  type FileData,
  imported,
  importSeed,
  readEnvironments,
  sendImport,
  writesNothing,
} from '../../harness/imports.ts';
import { contentOf } from '../../harness/items.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { sharedService } from '../../specifications/specify.ts';

let round = 0;
const service = sharedService(importSeed);

const runs = { numRuns: 6 };
/** The names in a generated file; `~` stands for what sets its round apart from others, whose features stay. */
const names = ['~a', '~b', '~c', '~d'] as const;
const words = fc.constantFrom('', 'word', 'ein Wort', '世界', '\u{1f600}', '{"json":true}', '#FEATURE#');
const name = fc.constantFrom('default', 'flexibleRollout', 'userWithId');

function fields(required: readonly string[], entries: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(entries, { requiredKeys: required as never[] }) as fc.Arbitrary<Record<string, unknown>>;
}

const constraint = fc.oneof(
  fields(['contextName', 'operator', 'values'], {
    contextName: fc.constantFrom('userId', 'unknown', '~field'),
    operator: fc.constantFrom('IN', 'NOT_IN', 'STR_CONTAINS'),
    values: fc.array(fc.constantFrom('1', '2', 'drei'), { minLength: 1, maxLength: 3 }),
    inverted: fc.boolean(),
    caseInsensitive: fc.boolean(),
  }),
  fields(['contextName', 'operator', 'value'], {
    contextName: fc.constant('currentTime'),
    operator: fc.constantFrom('DATE_AFTER', 'DATE_BEFORE'),
    value: fc.constantFrom('2030-01-01', '2031-01-01T00:00:00Z'),
    values: fc.constant([]),
  }),
);

const strategyVariant = fields(['weight', 'weightType', 'stickiness'], {
  weight: fc.integer({ min: 0, max: 300 }),
  weightType: fc.constantFrom('variable', 'fix'),
  stickiness: fc.constantFrom('default', 'userId'),
  payload: fc.record({ type: fc.constantFrom('string', 'csv'), value: words }),
});

const strategyVariants = fc
  .array(strategyVariant, { maxLength: 3 })
  .map((list) => list.map((variant, index) => ({ ...variant, name: `v${index}` })))
  .map((list) => list.map((variant, index) => (index === 0 ? { ...variant, weightType: 'variable' } : variant)));

const strategy = fields(['name', 'featureName'], {
  name,
  featureName: fc.constantFrom(...names),
  id: fc.uuid(),
  title: fc.option(fc.constantFrom('a', 'b')),
  disabled: fc.option(fc.boolean()),
  sortOrder: fc.integer({ min: -2, max: 5 }),
  constraints: fc.array(constraint, { maxLength: 2 }),
  variants: strategyVariants,
  parameters: fc.record(
    { rollout: fc.nat(100).map(String), stickiness: words, groupId: words, own: words },
    { requiredKeys: [] },
  ),
  segments: fc.subarray([1, 2]),
});

const featureVariant = fields(['weight'], {
  weight: fc.integer({ min: 0, max: 1000 }),
  weightType: fc.constantFrom('variable', 'fix'),
  stickiness: words,
  payload: fc.record({ type: fc.constant('string'), value: words }),
  overrides: fc.array(fc.record({ contextName: words, values: fc.array(words, { maxLength: 2 }) }), { maxLength: 1 }),
});

const featureVariants = fc
  .array(featureVariant, { maxLength: 2 })
  .map((list) => list.map((variant, index) => ({ ...variant, name: `v${index}` })));

const tag = fields(['tagValue'], {
  tagType: fc.constantFrom('simple', 'team', '~type'),
  type: fc.constantFrom('simple', 'team'),
  tagValue: fc.constantFrom('one', 'two', ' three ', '世界'),
  value: fc.constant('ignored'),
});

/** The first two features depend on the others, on each of them once: no parent has a parent. */
const dependencies = fc
  .uniqueArray(
    fc.record({
      child: fc.integer({ min: 0, max: 1 }),
      parent: fc.integer({ min: 2, max: 3 }),
      enabled: fc.option(fc.boolean(), { nil: undefined }),
    }),
    { maxLength: 4, selector: ({ child, parent }) => `${child} ${parent}` },
  )
  .map((list) =>
    list.map(({ child, parent, ...rest }) => ({
      feature: names[child],
      dependencies: [{ feature: names[parent], ...rest }],
    })),
  );

const required = ['features', 'featureStrategies', 'tagTypes', 'contextFields', 'segments'];

/** Every valid file over the names; with `complete` it says everything of every feature. */
function files({ complete }: { complete: boolean }): fc.Arbitrary<FileData> {
  const own = {
    type: fc.constantFrom('release', 'sunset'),
    description: fc.option(words),
    stale: fc.boolean(),
    impressionData: fc.boolean(),
  };
  const each = <T extends object>(arbitrary: fc.Arbitrary<T>) =>
    fc.tuple(...names.map(() => arbitrary)).map((list) => list.map((one, index) => ({ ...one, name: names[index] })));
  const state = { enabled: fc.boolean(), variants: featureVariants };
  const tags = fc.array(
    fc.tuple(fc.constantFrom(...names), tag).map(([featureName, one]) => ({ ...one, featureName })),
    { maxLength: 6 },
  );
  return fc.record(
    {
      features: each(
        fields(complete ? Object.keys(own) : [], complete ? own : { ...own, archived: fc.constant(true) }),
      ).map((list) =>
        // A parent has to be live.
        list.map((feature, index) => (index < 2 ? feature : { ...feature, archived: false })),
      ),
      featureStrategies: fc.array(strategy, { maxLength: 8 }),
      featureEnvironments: each(fields(complete ? Object.keys(state) : ['enabled'], state)),
      featureTags: tags,
      tagTypes: fc.constant([{ name: '~type' }, { name: 'team' }]),
      contextFields: fc.constant([{ name: '~field', legalValues: ['1', '2', 'drei'].map((value) => ({ value })) }]),
      segments: fc.constant([
        { id: 1, name: 'everybody' },
        { id: 2, name: 'here' },
      ]),
      dependencies,
    },
    complete ? {} : { requiredKeys: required as never[] },
  ) as fc.Arbitrary<FileData>;
}

/** The file with names that no round before has used. */
function placed(data: FileData, prefix: string): FileData {
  return JSON.parse(JSON.stringify(data).replaceAll('~', prefix));
}

function nextPrefix(): string {
  round += 1;
  return `r${round}-`;
}

describe('Any valid file', () => {
  test('is imported, and writes nothing the second time: no id, no event, no count', async () => {
    await fc.assert(
      fc.asyncProperty(files({ complete: false }), async (generated) => {
        const data = placed(generated, nextPrefix());
        await imported(service, data);
        const environments = await readEnvironments(service);
        expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
        expect(await readEnvironments(service)).toEqual(environments);
      }),
      runs,
    );
  });

  test('has the same result again after another file', async () => {
    await fc.assert(
      fc.asyncProperty(files({ complete: true }), files({ complete: true }), async (first, second) => {
        const prefix = nextPrefix();
        const [a, b] = [placed(first, prefix), placed(second, prefix)];
        const imports = async (data: FileData) => {
          await imported(service, data);
          return {
            features: await Promise.all(names.map((each) => stateOf(each.replace('~', prefix)))),
            environments: await readEnvironments(service),
          };
        };
        const wanted = await imports(a);
        await imports(b);
        expect(await imports(a)).toEqual(wanted);
      }),
      { numRuns: 3 },
    );
  });

  test('can be exported into an empty service, and changes nothing in its own', async () => {
    await fc.assert(
      fc.asyncProperty(files({ complete: true }), async (generated) => {
        const [first, second] = [await freshService(importSeed), await freshService(importSeed)];
        await imported(first, placed(generated, ''));
        const before = await exported(first);
        await imported(second, before);
        expect(comparable(await exported(second))).toEqual(comparable(before));
        await imported(first, before);
        expect(await exported(first)).toEqual(before);
      }),
      { numRuns: 3 },
    );
  });

  test('leaves complete events, correct counts, and read models that match its features', async () => {
    expect(problemsOf(await contentOf(service.table))).toEqual([]);
  });
});

async function exported(from: Service): Promise<FileData> {
  return (await from.post('/api/admin/features-batch/export', { environment: 'development' })).body;
}

/** The lists of a file in one order, without the ids of strategies, which each store gives out itself. */
function comparable(data: FileData) {
  const withoutIds = { ...data, featureStrategies: data.featureStrategies?.map(({ id: _id, ...rest }) => rest) };
  return Object.entries(withoutIds).map(([member, list = []]) => [member, textsOf(list)]);
}

/** Returns all of a feature that a file decides: neither ids of strategies nor dependencies, which stay. */
async function stateOf(feature: string) {
  const { dependencies: _ones, children: _others, tags, environments, ...fields } = await readFeature(service, feature);
  const strategies = environments[0].strategies.map(({ id: _id, ...content }: { id: string }) => content);
  return {
    ...fields,
    tags: textsOf(tags),
    environments: [{ ...environments[0], strategies: textsOf(strategies) }, environments[1]],
  };
}

function textsOf(list: readonly object[]): string[] {
  return list.map((each) => JSON.stringify(each)).toSorted();
}
