import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  buildNewSafeguard,
  flagModes,
  isTighter,
  listSafeguardProblems,
  type SafeguardDraft,
  toSafeguardDraft,
  toSafeguardInput,
  type WrittenSafeguard,
  withKind,
} from '../../../../lib/console/safeguards/safeguard-draft.ts';
import { planSafeguardInput, type Safeguard } from '../../../../lib/features/plans/safeguard-schema.ts';
import { aggregationModes } from '../../../../lib/usage/impact-metrics/impact-metrics-schema.ts';

const draftWith = (change: Partial<SafeguardDraft>): SafeguardDraft => ({
  ...buildNewSafeguard('pauseReleasePlanProgressions'),
  ...{ threshold: '20', ...change },
});

/** Returns the input of a complete draft. */
function inputOf(draft: SafeguardDraft): WrittenSafeguard {
  const input = toSafeguardInput(draft, 'guard');
  if (input === undefined) throw new Error('The draft is complete.');
  return input;
}

const storedOf = (input: WrittenSafeguard) =>
  ({ ...input, id: 'guard', impactMetric: { ...input.impactMetric, id: 'guard' } }) as Safeguard;

describe('A safeguard in a form', () => {
  test.each<[string, Partial<SafeguardDraft>]>([
    ['evaluations', {}],
    ['evaluations a second', { aggregationMode: 'rps', operator: '>', threshold: '2.5', timeRange: 'day' }],
    ['a share', { flagMetric: 'flag:yes-rate', aggregationMode: 'avg', threshold: '29' }],
    ['the share of a variant', { flagMetric: 'flag:variant-share', aggregationMode: 'avg', variant: 'blue' }],
    ['instances', { flagMetric: 'flag:instances' }],
    ['an impact metric', { kind: 'metric', metric: 'errors', labelSelectors: { appName: ['*'] }, timeRange: 'week' }],
    ['an alarm', { kind: 'alarm', alarm: 'checkout errors', operator: '>', threshold: '0' }],
    ['a signal', { kind: 'signal', signal: 'smoke test', operator: '>', threshold: '0' }],
    ['a signal without a name', { kind: 'signal', operator: '>', threshold: '0' }],
  ])('is one that the service takes, and the same when it is edited: %s', (_, change) => {
    const draft = draftWith(change);
    const input = inputOf(draft);
    expect(v.safeParse(planSafeguardInput, input).issues).toBeUndefined();
    expect(toSafeguardDraft(storedOf(input))).toEqual(draft);
  });

  test('has shares in per cent', () => {
    const input = inputOf(draftWith({ flagMetric: 'flag:yes-rate', threshold: '29' }));
    expect(input.triggerCondition.threshold).toBe(0.29);
    expect(input.impactMetric.aggregationMode).toBe('avg');
  });

  test('knows the aggregations of what SDKs report about a flag', () => {
    for (const [flagMetric, modes] of Object.entries(flagModes) as [keyof typeof flagModes, string[]][]) {
      const accepted = aggregationModes.filter((aggregationMode) => {
        const input = inputOf(draftWith({ flagMetric, variant: 'blue' }));
        const impactMetric = { ...input.impactMetric, aggregationMode };
        return v.safeParse(planSafeguardInput, { ...input, impactMetric }).success;
      });
      expect(accepted.toSorted()).toEqual(modes.toSorted());
    }
  });

  test.each<[Partial<SafeguardDraft>, string]>([
    [{ threshold: '' }, 'A number is needed to compare with.'],
    [{ threshold: 'many' }, 'A number is needed to compare with.'],
    [{ flagMetric: 'flag:variant-share' }, 'Which variant?'],
    [{ kind: 'metric' }, 'Which metric?'],
    [{ kind: 'alarm' }, 'Which alarm?'],
    [{ kind: 'signal', signal: 'a/b' }, 'The name of a signal has letters, digits, spaces, - and _ only.'],
  ])('is incomplete with %j', (change, problem) => {
    expect(listSafeguardProblems(draftWith(change))).toEqual([problem]);
    expect(toSafeguardInput(draftWith(change), 'guard')).toBeUndefined();
  });

  test('needs no approval where it only acts earlier', () => {
    const before = storedOf(inputOf(draftWith({})));
    const after = (change: Partial<SafeguardDraft>) => isTighter(before, inputOf(draftWith(change)));
    expect(after({ threshold: '20' })).toBe(true);
    expect(after({ threshold: '30' })).toBe(true);
    expect(after({ threshold: '10' })).toBe(false);
    expect(after({ threshold: '30', operator: '>' })).toBe(false);
    expect(after({ threshold: '30', timeRange: 'day' })).toBe(false);
    expect(after({ threshold: '30', action: 'disableFeatureEnvironment' })).toBe(false);
    const above = storedOf(inputOf(draftWith({ operator: '>' })));
    expect(isTighter(above, inputOf(draftWith({ operator: '>', threshold: '10' })))).toBe(true);
    expect(isTighter(above, inputOf(draftWith({ operator: '>', threshold: '30' })))).toBe(false);
  });

  test('against a metric begins with too much, since most metrics of safeguards count what fails', () => {
    const draft = withKind(draftWith({ labelSelectors: { appName: ['shop'] } }), 'metric');
    expect(draft).toMatchObject({ kind: 'metric', operator: '>', labelSelectors: {} });
    expect(withKind(draft, 'flag').operator).toBe('<');
  });
});
