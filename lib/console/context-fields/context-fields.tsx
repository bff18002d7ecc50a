import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  deleteContextField,
  getContextFields,
  getStrategiesByContextField,
  type ListedContextField,
} from '../calls/context-fields.ts';
import { getSegments, type ListedSegment } from '../calls/segments.ts';
import { reload, useRead } from '../data/cache.ts';
import { ActionLink } from '../parts/action-link.tsx';
import { Button } from '../parts/button.tsx';
import { DeleteUsed } from '../parts/edits/used-by.tsx';
import { Icon } from '../parts/icon.tsx';
import { PageList } from '../parts/page-list.tsx';
import { Tag } from '../parts/small.tsx';
import { Empty } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';

const path = getContextFields({});

/** The most legal values that a row shows. */
const shownMax = 8;

/** The fields of a context that conditions compare, with the values that they accept. */
export function ContextFieldsPage(): JSX.Element {
  const { value: fields, problem } = useRead(path, 30_000);
  const { value: segments } = useRead(getSegments({}), 60_000);
  const { value: start } = useStart();
  const [deleting, setDeleting] = useState<ListedContextField>();
  const reasonFor = (permission: string, act: string) =>
    start === undefined || mayIn(start, permission) ? undefined : `Needs the permission to ${act} context fields.`;
  return (
    <>
      <PageList
        title="Context fields"
        about="What applications say about a user, and conditions compare."
        actions={
          <ActionLink icon="plus" href="/context/create" reason={reasonFor('CREATE_CONTEXT_FIELD', 'create')}>
            New field
          </ActionLink>
        }
        problem={problem}
        onRetry={() => reload(path)}
        count={fields?.length}
        empty={
          <Empty icon="sliders-horizontal" title="There is no field yet">
            Conditions may compare any name; a field adds legal values and a description.
          </Empty>
        }
      >
        {fields?.map((field) => (
          <li key={field.name}>
            <div class="grow">
              <a class="mono" href={`/context/edit/${field.name}`}>
                {field.name}
              </a>{' '}
              {field.stickiness && <Tag>Stickiness</Tag>}
              {field.description !== null && field.description !== '' && <p>{field.description}</p>}
              {field.legalValues.length > 0 && (
                <p>
                  {field.legalValues
                    .slice(0, shownMax)
                    .map(({ value }) => value)
                    .join(', ')}
                  {field.legalValues.length > shownMax && ` and ${field.legalValues.length - shownMax} more`}
                </p>
              )}
            </div>
            <span class="rows-acts">
              <span class="muted">{describeUse(field, segments?.segments)}</span>
              <Button
                kind="quiet"
                aria-label={`Delete ${field.name}`}
                reason={reasonFor('DELETE_CONTEXT_FIELD', 'delete')}
                onClick={() => setDeleting(field)}
              >
                <Icon name="trash" />
              </Button>
            </span>
          </li>
        ))}
      </PageList>
      {deleting !== undefined && <DeleteField name={deleting.name} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

/** Describes the use of a field by flags and segments; nothing while the segments are not known. */
function describeUse(
  { name, usedInFeatures }: ListedContextField,
  segments: readonly ListedSegment[] | undefined,
): string {
  const count = segments?.filter(({ constraints }) =>
    constraints.some(({ contextName }) => contextName === name),
  ).length;
  if (usedInFeatures === 0 && count === 0) return 'unused';
  return [
    ...(usedInFeatures > 0 ? [countOf(usedInFeatures, 'flag')] : []),
    ...(count !== undefined && count > 0 ? [countOf(count, 'segment')] : []),
  ].join(' · ');
}

function DeleteField({ name, onClose }: { readonly name: string; readonly onClose: () => void }): JSX.Element {
  const { value } = useRead(getStrategiesByContextField({ contextField: name }));
  return (
    <DeleteUsed
      thing={`the field “${name}”`}
      uses={value?.strategies}
      effect="Applications may still send it, and new conditions may still name it; its legal values and its description are gone."
      act={async () => {
        await deleteContextField({ contextField: name });
        showMessage(`Deleted the field ${name}`);
        await reload(path);
      }}
      onClose={onClose}
    />
  );
}
