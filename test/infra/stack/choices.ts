import { expect, test } from 'vitest';
import { choiceNames } from '../../../infra/settings.ts';
import { synthesizeFew } from '../synthesize.ts';

interface Parameter {
  readonly Default: string;
  readonly AllowedValues: readonly string[];
  readonly ConstraintDescription: string;
}

const parametersOf = (context: Record<string, string> = {}): Record<string, Parameter> =>
  Object.fromEntries(
    Object.entries(synthesizeFew(context).main.findParameters('*')).filter(([id]) => id.startsWith('Choice')),
  ) as Record<string, Parameter>;

/**
 * Lists the parameters that CloudFormation refuses when the CDK hands over the values of the deployment before, as it does
 * by default.
 */
function refusedAfter(before: Record<string, Parameter>, after: Record<string, Parameter>): string[] {
  return Object.entries(after).flatMap(([id, { Default, AllowedValues, ConstraintDescription }]) => {
    const value = before[id]?.Default ?? Default;
    return AllowedValues.includes(value) ? [] : [`Parameter ${id} ${ConstraintDescription}`];
  });
}

const chosen = { ephemeral: 'true', alarmEmail: 'operator@example.com', LOG_LEVEL: 'DEBUG' };

test('every setting is stored in the stack', () => {
  expect(Object.keys(parametersOf())).toHaveLength(choiceNames.length);
  expect(parametersOf(chosen)).toMatchObject({
    ChoiceEphemeral: { Default: 'true' },
    ChoiceAlarmEmail: { Default: 'operator@example.com' },
    ChoiceLogLevel: { Default: 'DEBUG' },
    ChoiceTableName: { Default: 'default' },
  });
});

test('a deployment with the same settings is accepted', () => {
  expect(refusedAfter(parametersOf(chosen), parametersOf(chosen))).toEqual([]);
  expect(refusedAfter(parametersOf(), parametersOf())).toEqual([]);
});

test('a deployment without an earlier setting is refused, and the error names it', () => {
  expect(refusedAfter(parametersOf(chosen), parametersOf({ ...chosen, ephemeral: '' }))).toEqual([
    'Parameter ChoiceEphemeral must be the value of the previous deployment, but this command has ephemeral=default. Repeat the -c ephemeral of the previous deployment. To change it, add --no-previous-parameters and every -c setting that you want to keep',
  ]);
});

test('a deployment with a new setting is refused without --no-previous-parameters', () => {
  expect(refusedAfter(parametersOf(), parametersOf(chosen))).toHaveLength(3);
  // With --no-previous-parameters the CDK hands over no values of before.
  expect(refusedAfter({}, parametersOf(chosen))).toEqual([]);
});

test('a setting that a later version adds does not stop an upgrade', () => {
  const { ChoiceTableName: _, ...before } = parametersOf();
  expect(refusedAfter(before, parametersOf())).toEqual([]);
});
