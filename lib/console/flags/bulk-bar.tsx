import './bulk-bar.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlags, ListedFlag } from '../../screens/flags-schema.ts';
import { useShortcut } from '../browser/shortcuts.ts';
import type { getConsoleFlags } from '../calls/flags.ts';
import { expireFlagLists } from '../change/expire-flag-lists.ts';
import { reload } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { BulkArchiveDialog } from './bulk-archive-dialog.tsx';
import { groupByProject, reasonAgainstBulk, setFlagsStale } from './bulk-changes.ts';
import { BulkSwitchDialog } from './bulk-switch-dialog.tsx';
import { BulkTagDialog } from './bulk-tag-dialog.tsx';

interface BulkBarProps {
  readonly flags: readonly ListedFlag[];
  readonly environments: ConsoleFlags['environments'];
  readonly path: ReturnType<typeof getConsoleFlags>;
  readonly onClear: () => void;
}

/** The acts on the selected flags, at the foot of the list. */
export function BulkBar({ flags, environments, path, onClear }: BulkBarProps): JSX.Element {
  const { value: start } = useStart();
  const [opened, setOpened] = useState<'switch' | 'tag' | 'archive'>();
  const groups = groupByProject(flags);
  const count = countOf(flags.length, 'flag');
  const areStale = flags.every(({ stale }) => stale);
  const update = reasonAgainstBulk(start, groups, 'UPDATE_FEATURE', 'edit flags');
  const close = () => setOpened(undefined);
  useShortcut('Escape', onClear);

  async function finish(message: string, undo?: () => Promise<unknown>): Promise<void> {
    showMessage(message, undo && { undo: () => void undo().then(() => reload(path)) });
    onClear();
    expireFlagLists();
    await reload(path);
  }

  async function toggleStale(): Promise<void> {
    if (!(await attempt(() => setFlagsStale(groups, !areStale)))) return;
    await finish(areStale ? `${count} not stale any more` : `${count} stale`, () => setFlagsStale(groups, areStale));
  }

  return (
    <>
      <section class="bulk-bar" aria-label="Selected flags">
        <strong role="status">{count} selected</strong>
        <Button icon="power" onClick={() => setOpened('switch')}>
          Switch
        </Button>
        <Button icon="tag" reason={update} onClick={() => setOpened('tag')}>
          Tag
        </Button>
        <Button icon="clock" reason={update} onClick={() => void toggleStale()}>
          {areStale ? 'Not stale' : 'Stale'}
        </Button>
        <Button
          icon="archive"
          reason={reasonAgainstBulk(start, groups, 'DELETE_FEATURE', 'archive flags')}
          onClick={() => setOpened('archive')}
        >
          Archive
        </Button>
        <Button kind="quiet" aria-label="Select none" onClick={onClear}>
          <Icon name="x" />
        </Button>
      </section>
      {opened === 'switch' && (
        <BulkSwitchDialog groups={groups} environments={environments} onDone={finish} onClose={close} />
      )}
      {opened === 'tag' && <BulkTagDialog flags={flags} groups={groups} onDone={finish} onClose={close} />}
      {opened === 'archive' && <BulkArchiveDialog flags={flags} onDone={finish} onClose={close} />}
    </>
  );
}
