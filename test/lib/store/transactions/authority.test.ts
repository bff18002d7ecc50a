import { expect, test } from 'vitest';
import { RightsChanged, withRightsConditions } from '../../../../lib/store/transactions/authority.ts';
import type { Condition, Write } from '../../../../lib/store/transactions/write.ts';

const key = { pk: 'ACCESS', sk: 'USER#1' };
const under = (when: Condition | undefined, standing: 'present' | { version: number } | { same: { kind: string } }) =>
  withRightsConditions([{ remove: key, ...(when && { when }) }], [{ check: key, when: standing }]).map(
    (write: Write) => ('when' in write ? write.when : undefined),
  );

test('A write of an item that grants rights has the condition on the rights beside its own', () => {
  const [version, same] = [{ version: 2 }, { same: { kind: 'user' } }];
  expect(under(undefined, version)).toEqual([version]);
  expect(under('present', version)).toEqual([version]);
  expect(under(version, 'present')).toEqual([version]);
  expect(under(version, version)).toEqual([version]);
  expect(under(version, same)).toEqual([{ ...version, ...same }]);
  expect(under(same, version)).toEqual([{ ...version, ...same }]);
});

test('A write is not sent if it expects another version of an item than the rights do', () => {
  for (const when of ['absent', { version: 1 }] as const)
    expect(() => under(when, { version: 2 })).toThrow(RightsChanged);
  for (const when of [{ amount: 1 }, { forProject: 'shop' }])
    expect(() => under(when, { version: 2 })).toThrow('one of a version or values');
});
