import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { useShortcut } from '../browser/shortcuts.ts';
import { getConsoleFlag, updateFeature } from '../calls/flags.ts';
import { useFlagChange } from '../change/flag-change.tsx';
import { reload } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Later } from '../parts/later.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { archiveFlag } from './flag-changes.ts';
import type { FlagDialogsProps } from './flag-dialogs.tsx';

const loadNewChart = async () => (await import('./flag-charts.tsx')).NewFlagChart;
const loadDialogs = async () => (await import('./flag-dialogs.tsx')).FlagDialogs;

/** The acts on a flag as a whole. */
export function FlagMenu({ flag }: { readonly flag: ConsoleFlag }): JSX.Element {
  const { name, project, stale, children } = flag.feature;
  const { value: start } = useStart();
  const [opened, setOpened] = useState<FlagDialogsProps['opened'] | 'chart'>();
  const close = () => setOpened(undefined);
  const [change, changeDialog] = useFlagChange(flag);
  const reasonFor = (permission: string, act: string) => {
    if (start === undefined) return undefined;
    if (start.isInMaintenance) return 'Maintenance: nothing can be changed for now.';
    return mayIn(start, permission, project) ? undefined : `Needs the permission to ${act} in ${project}.`;
  };
  const update = reasonFor('UPDATE_FEATURE', 'edit flags');
  useShortcut('e', () => update === undefined && setOpened('edit'));
  const items: readonly MenuItem[] = [
    {
      label: stale ? 'Mark as not stale' : 'Mark as stale',
      icon: 'clock',
      reason: update,
      onChoose: () => void setStale(flag, !stale),
    },
    {
      label: 'Depends on',
      icon: 'link',
      reason: reasonFor('UPDATE_FEATURE_DEPENDENCY', 'change what flags depend on'),
      onChoose: () => setOpened('parent'),
    },
    {
      label: 'Add a chart',
      icon: 'activity',
      reason: update,
      onChoose: () => setOpened('chart'),
    },
    {
      label: 'Copy',
      icon: 'copy',
      reason: reasonFor('CREATE_FEATURE', 'create flags'),
      onChoose: () => setOpened('copy'),
    },
    {
      label: 'Move to another project',
      icon: 'folder-input',
      reason: reasonFor('MOVE_FEATURE_TOGGLE', 'move flags'),
      onChoose: () => setOpened('move'),
    },
    {
      label: 'Archive',
      icon: 'archive',
      isDanger: true,
      reason:
        children.length > 0 ? `${children.join(', ')} depends on it.` : reasonFor('DELETE_FEATURE', 'archive flags'),
      onChoose: () => change(archiveFlag(flag)),
    },
  ];
  return (
    <>
      <Button icon="pencil" reason={update} onClick={() => setOpened('edit')}>
        Edit
      </Button>
      <Menu label={`Acts on ${name}`} items={items} />
      {opened === 'chart' && <Later load={loadNewChart} props={{ flag, onClose: close }} />}
      {opened !== undefined && opened !== 'chart' && (
        <Later load={loadDialogs} props={{ flag, opened, onChange: change, onClose: close }} />
      )}
      {changeDialog}
    </>
  );
}

/** Sets or removes the stale mark of a flag: information for people, which applications do not get. */
async function setStale({ feature: { project, name } }: ConsoleFlag, stale: boolean): Promise<void> {
  const values = { projectId: project, featureName: name };
  if (!(await attempt(() => updateFeature(values, { body: { stale } })))) return;
  showMessage(stale ? `${name} is stale` : `${name} is not stale`, {
    undo: () => void updateFeature(values, { body: { stale: !stale } }).then(() => reload(getConsoleFlag(values))),
  });
  await reload(getConsoleFlag(values));
}
