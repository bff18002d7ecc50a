import { expect, test } from 'vitest';
import type { ComparedToken } from '../../../../infra/commands/migration/compare/choose-tokens.ts';
import { compareServers } from '../../../../infra/commands/migration/compare/compare-servers.ts';
import { buildReportPage } from '../../../../infra/commands/migration/report-page.ts';
import { startSite } from '../../../prove/sdks/site.ts';

const rollout = (percent: string, stickiness = 'default') => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness, groupId: 'checkout' },
});

const constrained = (constraint: object) => ({ name: 'default', constraints: [{ values: [], ...constraint }] });

function flag(name: string, strategies: readonly object[] = [], more: object = {}) {
  return { name, enabled: true, project: 'shop', type: 'release', strategies, ...more };
}

const everywhere = {
  ...{ secret: '*:production.1', name: 'all', type: 'client', environment: 'production', projects: ['*'] },
} as const satisfies ComparedToken;

interface Delivered {
  readonly features: readonly object[];
  readonly segments?: readonly object[];
}

async function startDelivering(delivered: Delivered) {
  const answer = ['application/json', JSON.stringify({ version: 2, ...delivered })] as const;
  return startSite({
    '/api/client/features': answer,
    '/api/client/features?namePrefix=no.flag.of.this.name': answer,
  });
}

/** Compares two servers by their answers, which are about production. */
async function compared(theirs: Delivered, ours: Delivered, tokens: readonly ComparedToken[] = [everywhere]) {
  await using source = await startDelivering(theirs);
  await using target = await startDelivering(ours);
  return await compareServers({
    source: new URL(source.url),
    target: new URL(target.url),
    tokens,
    environments: ['production'],
    projects: ['shop', 'blog'],
    maxDecisions: 10_000,
  });
}

async function divergences(theirs: Delivered, ours: Delivered) {
  const { environments } = await compared(theirs, ours);
  return environments.flatMap((each) => each.divergences);
}

test('finds no difference between servers that deliver the same, luck included', async () => {
  const features = [
    flag('lucky', [rollout('50', 'random'), { name: 'gradualRolloutRandom', parameters: { percentage: '50' } }]),
    flag('regional', [constrained({ contextName: 'country', operator: 'IN', values: ['NZ'] })]),
    flag('unsure', [], { variants: ['a', 'b'].map((name) => ({ name, weight: 500, stickiness: 'nobody' })) }),
  ];
  const { environments, decisions, refused, notCompared } = await compared({ features }, { features });
  expect(environments).toMatchObject([{ name: 'production', flags: 3, divergences: [], tokens: ['all'] }]);
  expect({ refused, notCompared }).toEqual({ refused: [], notCompared: [] });
  expect(decisions).toBeGreaterThan(3_000);
});

// Each of them differs for few contexts only, which none but those around its constraint are.
const slight: Readonly<Record<string, readonly [before: object, after: object]>> = {
  'a value of a list': [
    { contextName: 'country', operator: 'IN', values: ['NZ', 'CH', 'DE'] },
    { contextName: 'country', operator: 'IN', values: ['NZ', 'CH'] },
  ],
  'the case of a text': [
    { contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'], caseInsensitive: true },
    { contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'], caseInsensitive: false },
  ],
  'the bound of a number': [
    { contextName: 'age', operator: 'NUM_GTE', value: '18' },
    { contextName: 'age', operator: 'NUM_GT', value: '18' },
  ],
  'a millisecond': [
    { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2030-01-01T00:00:00.000Z' },
    { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2030-01-01T00:00:00.001Z' },
  ],
  'the bound of a version': [
    { contextName: 'version', operator: 'SEMVER_GT', value: '1.2.3' },
    { contextName: 'version', operator: 'SEMVER_GTE', value: '1.2.3' },
  ],
  'a bit of a range': [
    { contextName: 'remoteAddress', operator: 'IN_CIDR', values: ['10.1.0.0/16'] },
    { contextName: 'remoteAddress', operator: 'IN_CIDR', values: ['10.1.0.0/17'] },
  ],
  'a letter of a pattern': [
    { contextName: 'email', operator: 'REGEX', value: '^ann\\d+@example\\.com$' },
    { contextName: 'email', operator: 'REGEX', value: '^anne\\d+@example\\.com$' },
  ],
  'a context without the field': [
    { contextName: 'country', operator: 'NOT_IN', values: ['NZ'] },
    { contextName: 'country', operator: 'IN', values: ['CH', 'NZ~', 'nz'] },
  ],
};

test.each(Object.keys(slight))('notices a constraint that differs in %s', async (what) => {
  const [before, after] = slight[what] ?? [{}, {}];
  const found = await divergences(
    { features: [flag('one', [constrained(before)])] },
    { features: [flag('one', [constrained(after)])] },
  );
  expect(found).toMatchObject([{ flag: 'one', difference: expect.stringContaining('gets another decision in') }]);
  expect(found[0]?.examples.length).toBeGreaterThan(0);
});

test('notices a constraint of a segment and of a parent, a percent of a rollout, a payload and a lost flag', async () => {
  const variants = (value: string) => [{ name: 'a', weight: 1000, payload: { type: 'string', value } }];
  const segments = (value: string) => [
    { id: 7, constraints: [{ contextName: 'plan', operator: 'IN', values: [value] }] },
  ];
  const features = (percent: string, value: string, project: string) => [
    flag('segment', [{ name: 'default', segments: [7] }]),
    flag('child', [], { dependencies: [{ feature: 'segment' }] }),
    flag('rollout', [rollout(percent)]),
    flag('payload', [], { variants: variants(value) }),
    flag('moved', [], { project }),
  ];
  const found = await divergences(
    { segments: segments('gold'), features: [...features('50', 'blue', 'shop'), flag('lost')] },
    { segments: segments('silver'), features: [...features('51', 'red', 'blog'), flag('new')] },
  );
  expect(Object.fromEntries(found.map(({ flag, difference }) => [flag, difference]))).toEqual({
    segment: expect.stringContaining('gets another decision'),
    child: expect.stringContaining('gets another decision'),
    rollout: expect.stringContaining('gets another decision'),
    payload: expect.stringContaining('gets another decision'),
    moved: 'has another project',
    lost: 'is missing on the new server',
    new: 'exists only on the new server',
  });
});

test('says which flags no token reads, and which tokens the target refuses', async () => {
  const features = [flag('one')];
  const shop = { ...everywhere, secret: 'shop:production.1', name: 'shop', projects: ['shop'] };
  const page = { ...everywhere, secret: '*:production.2', name: 'page', type: 'frontend' } as const;
  const found = await compared({ features }, { features }, [shop, page]);
  // The target has no path for frontend tokens.
  expect(found).toMatchObject({ tokens: 2, refused: ['page (production): 404'] });
  expect(found.notCompared).toEqual(['Flags in production of projects without a client token: blog.']);
  expect((await compared({ features }, { features }, [])).notCompared).toEqual([
    'Flags in production: it has no client token.',
  ]);
});

test('says in a sentence that a server answers something else', async () => {
  const json = ['application/json', '{"features":"many"}'] as const;
  await using site = await startSite({
    '/api/client/features': json,
    '/api/client/features?namePrefix=no.flag.of.this.name': json,
  });
  const url = new URL(site.url);
  const asked = { tokens: [everywhere], environments: ['production'], projects: [], maxDecisions: 1 };
  await expect(compareServers({ ...asked, source: url, target: url })).rejects.toThrow(
    `${url.host} answers an SDK in another format than Unleash.`,
  );
});

test('the report is a page that shows names as they are, whatever they hold', async () => {
  const hostile = '<script>alert("1")</script>';
  const comparison = await compared({ features: [flag(hostile)] }, { features: [] });
  const unchanged = Array.from({ length: 1_234 }, (_, index) => `flag-${index}`);
  const refused = [{ name: hostile, reason: 'it has no place here' }];
  const html = buildReportPage({
    source: { url: 'https://unleash.example.com', version: '7.6.5', missing: [] },
    target: 'http://localhost:4242',
    at: new Date('2026-11-25T10:00:00Z'),
    kinds: [{ kind: 'flags', created: [hostile], changed: [], unchanged, refused, remarks: [] }],
    comparison,
  });
  expect(html).not.toContain(hostile);
  expect(html).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;');
  expect(html).toContain('SDKs would notice the move. Flags that differ: 1; refused tokens: 0.');
  expect(html).toContain('<td class="number">1,236</td>\n<td class="number">1,234</td>');
});
