import type { JSX } from 'preact';
import type { ListedFlag } from '../../screens/flags-schema.ts';
import { go } from '../browser/router.ts';
import { Confirm } from '../parts/confirm.tsx';
import { useStart } from '../reader/start.ts';
import { addToDraft, afterApproval, orWithoutApproval } from '../words/change-requests.ts';
import { countOf } from '../words/numbers.ts';
import {
  archiveFlags,
  type BulkArchive,
  countFlags,
  describeDrafts,
  groupByProject,
  mayAllSkip,
  planBulkArchive,
} from './bulk-changes.ts';
import { useProtection } from './use-protection.ts';

interface BulkArchiveProps {
  readonly flags: readonly ListedFlag[];
  readonly onDone: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Archives flags; those for which that needs approval become change requests. */
export function BulkArchiveDialog({ flags, onDone, onClose }: BulkArchiveProps): JSX.Element {
  const { value: start } = useStart();
  const groups = groupByProject(flags);
  const isProtectedIn = useProtection(groups);
  const plan = planBulkArchive(start, flags, (...place) => isProtectedIn?.(...place) ?? false);
  const { direct, approval } = plan;
  const isAsking = direct.length === 0;
  const maySkip = mayAllSkip(start, approval);
  const places = [...new Set(approval.map(({ project, environment }) => `${project} / ${environment}`))];

  async function carryOut(way: BulkArchive): Promise<void> {
    const asked = await archiveFlags(way);
    const archived = way.direct.length === 0 ? '' : `Archived ${countFlags(way.direct)}`;
    await onDone([archived, describeDrafts(way.approval, asked.length)].filter(Boolean).join('. '));
    const [first] = asked;
    if (way.direct.length === 0 && first !== undefined) go(`/projects/${first.project}/change-requests/${first.id}`);
  }

  return (
    <Confirm
      title={`Archive ${countOf(flags.length, 'flag')}?`}
      verb={isAsking ? addToDraft : 'Archive'}
      isDanger={!isAsking}
      reason={isProtectedIn === undefined ? 'The rules of approval are being read.' : undefined}
      act={() => carryOut(plan)}
      other={
        maySkip
          ? { verb: 'Archive without approval', act: () => carryOut({ direct: groups, approval: [] }) }
          : undefined
      }
      onClose={onClose}
    >
      <p>
        SDKs no longer get <b>{flags.map(({ name }) => name).join(', ')}</b>, so their code paths are off everywhere.
        They can be revived, and are off then.
      </p>
      {approval.length > 0 && (
        <p>
          {isAsking ? 'This needs' : `${countFlags(approval)} of these need`} approval in {places.join(', ')}, and{' '}
          {isAsking ? 'goes' : 'go'} into your draft, which you then send for review. {afterApproval}{' '}
          {maySkip && orWithoutApproval}
        </p>
      )}
    </Confirm>
  );
}
