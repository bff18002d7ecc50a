import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { here, setQuery } from '../browser/router.ts';
import { getSegments, getStrategiesBySegmentId, type ListedSegment, removeSegment } from '../calls/segments.ts';
import { reload, useRead } from '../data/cache.ts';
import { ActionLink } from '../parts/action-link.tsx';
import { Button } from '../parts/button.tsx';
import { Condition } from '../parts/condition.tsx';
import { DeleteUsed } from '../parts/edits/used-by.tsx';
import { SearchField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { PageList } from '../parts/page-list.tsx';
import { Tag } from '../parts/small.tsx';
import { Empty } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';

const path = getSegments({});

/** The most conditions that a row shows. */
const shownMax = 3;

/** The segments: conditions with a name, which several strategies share. */
export function SegmentsPage(): JSX.Element {
  const { value, problem } = useRead(path, 30_000);
  const { value: start } = useStart();
  const [deleting, setDeleting] = useState<ListedSegment>();
  const search = new URLSearchParams(here.value.split('?')[1]).get('q') ?? '';
  const segments = useMemo(
    () =>
      value?.segments.filter(({ name, description }) =>
        `${name} ${description}`.toLowerCase().includes(search.toLowerCase()),
      ),
    [value, search],
  );
  const mayCreate =
    mayIn(start, 'CREATE_SEGMENT') ||
    (start?.projects ?? []).some(({ id }) => mayIn(start, 'UPDATE_PROJECT_SEGMENT', id));
  const create = (
    <NewSegment reason={start === undefined || mayCreate ? undefined : 'Needs the permission to create segments.'} />
  );
  return (
    <>
      <PageList
        title="Segments"
        about="Conditions with a name, which several strategies share."
        actions={create}
        filters={<SearchField label="Search segments" value={search} onInput={(q) => setQuery({ q })} />}
        problem={problem}
        onRetry={() => reload(path)}
        count={segments?.length}
        empty={
          <Empty icon="users" title={search === '' ? 'There is no segment yet' : 'No segment matches'}>
            {search === ''
              ? 'A segment says once who belongs to a group, such as “beta testers”.'
              : 'Try another word.'}
          </Empty>
        }
      >
        {segments?.map((segment) => (
          <li key={segment.id}>
            <div class="grow">
              <a href={`/segments/edit/${segment.id}`}>
                <strong>{segment.name}</strong>
              </a>{' '}
              {segment.project !== null && <Tag>{segment.project}</Tag>}
              {segment.description !== '' && <p>{segment.description}</p>}
              {segment.constraints.slice(0, shownMax).map((condition) => (
                <div key={JSON.stringify(condition)}>
                  <Condition condition={condition} />
                </div>
              ))}
              {segment.constraints.length > shownMax && (
                <small>and {countOf(segment.constraints.length - shownMax, 'condition')} more</small>
              )}
            </div>
            <span class="rows-acts">
              <span class="muted">
                {segment.usedInFeatures === 0 ? 'unused' : countOf(segment.usedInFeatures, 'flag')}
              </span>
              <Button
                kind="quiet"
                aria-label={`Delete ${segment.name}`}
                reason={
                  start === undefined ||
                  mayIn(start, 'DELETE_SEGMENT') ||
                  (segment.project !== null && mayIn(start, 'UPDATE_PROJECT_SEGMENT', segment.project))
                    ? undefined
                    : 'Needs the permission to delete segments.'
                }
                onClick={() => setDeleting(segment)}
              >
                <Icon name="trash" />
              </Button>
            </span>
          </li>
        ))}
      </PageList>
      {deleting !== undefined && <DeleteSegment segment={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function NewSegment({ reason }: { readonly reason: string | undefined }): JSX.Element {
  return (
    <ActionLink icon="plus" href="/segments/create" reason={reason}>
      New segment
    </ActionLink>
  );
}

interface DeleteProps {
  readonly segment: ListedSegment;
  readonly onClose: () => void;
}

function DeleteSegment({ segment: { id, name }, onClose }: DeleteProps): JSX.Element {
  const { value } = useRead(getStrategiesBySegmentId({ id }));
  return (
    <DeleteUsed
      thing={`the segment “${name}”`}
      uses={value && [...value.strategies, ...value.changeRequestStrategies]}
      effect="No strategy uses it, so applications get the same as before."
      act={async () => {
        await removeSegment({ id });
        showMessage(`Deleted the segment ${name}`);
        await reload(path);
      }}
      onClose={onClose}
    />
  );
}
