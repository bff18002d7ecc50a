import * as v from 'valibot';
import { expect, test } from 'vitest';
import { nameHint, suggestName } from '../../../../lib/console/new-flag/suggest-name.ts';
import { name, nameRule } from '../../../../lib/values/primitives.ts';

test.each([
  ['New checkout', 'new-checkout'],
  [' Größe & Preis? ', 'gro-e-preis'],
  ['new-checkout', undefined],
  ["it's_(new)!~*.", undefined],
  ['', undefined],
  ['🚀', undefined],
  ['. .', '.-.'],
])('For the name %j, %j is suggested', (typed, suggested) => {
  expect(suggestName(typed)).toBe(suggested);
  if (suggested !== undefined) expect(v.is(name, suggested)).toBe(true);
});

test('The hint names the characters that the service accepts', () => {
  expect(nameRule).toContain(nameHint);
});
