import type { JSX } from 'preact';
import { go } from '../browser/router.ts';
import { getProjectEnvironments } from '../calls/environments.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { addDefaultStrategyToProjectEnvironment } from '../calls/projects.ts';
import { type FlagChange, reasonAgainst, wayOf } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { expire, reload } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { toDraft, toStrategyBody } from '../strategy/draft.ts';
import { describeStrategy } from '../words/events.ts';
import { copyStrategy, moveStrategy, removeStrategy, type StrategyPlace, switchStrategy } from './strategy-changes.ts';

interface StrategyMenuProps extends StrategyPlace {
  readonly editor: string;
  readonly onChange: (change: FlagChange) => void;
}

/** The acts on a strategy, besides editing it. */
export function StrategyMenu({ editor, onChange, ...where }: StrategyMenuProps): JSX.Element {
  const { flag, environment, strategy } = where;
  const { value: start } = useStart();
  const index = environment.strategies.findIndex(({ id }) => id === strategy.id);
  const reasonFor = (permission: string, name = environment.name) =>
    reasonAgainst(start, permission, placeOf(flag, name), 'change strategies');
  const update = reasonFor('UPDATE_FEATURE_STRATEGY');
  const others = flag.feature.environments.filter(({ name }) => name !== environment.name);
  const { project } = flag.feature;
  const items: readonly MenuItem[] = [
    { label: 'Edit', icon: 'pencil', onChoose: () => go(editor) },
    {
      label: strategy.disabled ? 'Switch on' : 'Switch off',
      icon: 'power',
      reason: update,
      onChoose: () => onChange(switchStrategy(where)),
    },
    ...(index > 0
      ? [
          {
            label: 'Move up',
            icon: 'arrow-up',
            reason: update,
            onChoose: () => onChange(moveStrategy(where, -1)),
          } as const,
        ]
      : []),
    ...(index < environment.strategies.length - 1
      ? [
          {
            label: 'Move down',
            icon: 'arrow-down',
            reason: update,
            onChoose: () => onChange(moveStrategy(where, 1)),
          } as const,
        ]
      : []),
    ...others.map(
      (target): MenuItem => ({
        label: `Copy to ${target.name}`,
        icon: 'copy',
        reason: reasonFor('CREATE_FEATURE_STRATEGY', target.name),
        onChoose: () => onChange(copyStrategy(where, target)),
      }),
    ),
    ...(strategy.name === 'flexibleRollout'
      ? [
          {
            label: 'Use as the default here',
            icon: 'layers',
            reason: reasonAgainstDefault(),
            onChoose: () => void makeDefault(where),
          } as const,
        ]
      : []),
    {
      label: 'Remove',
      icon: 'trash',
      isDanger: true,
      reason: reasonFor('DELETE_FEATURE_STRATEGY'),
      onChoose: () => onChange(removeStrategy(where)),
    },
  ];
  return <Menu label={`Acts on ${describeStrategy(strategy)} in ${environment.name}`} items={items} />;

  function reasonAgainstDefault(): string | undefined {
    if (start?.isInMaintenance) return 'Maintenance: nothing can be changed for now.';
    const isAllowed = ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'].some((name) => mayIn(start, name, project));
    if (!isAllowed) return 'Needs the permission to change the default strategies of the project.';
    return wayOf(start, placeOf(flag, environment.name)) === 'direct'
      ? undefined
      : `Changes in ${environment.name} need approval, which the default cannot get.`;
  }
}

/** Makes a strategy the default of new flags of the project in an environment. */
async function makeDefault({ flag: { feature }, environment, strategy }: StrategyPlace): Promise<void> {
  const { groupId: _own, ...parameters } = strategy.parameters;
  const body = toStrategyBody({ ...toDraft(strategy), parameters });
  const values = { projectId: feature.project, environment: environment.name };
  if (!(await attempt(() => addDefaultStrategyToProjectEnvironment(values, { body })))) return;
  showMessage(`Flags that are switched on in ${environment.name} without a strategy get this one`);
  expire(getProjectEnvironments({ projectId: feature.project }));
  await reload(getConsoleFlag({ projectId: feature.project, featureName: feature.name }));
}
