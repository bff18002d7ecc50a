import './tag-types.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TagType } from '../../tags/tag-schema.ts';
import { deleteTagType, getTagTypes } from '../calls/tags.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { PageList } from '../parts/page-list.tsx';
import { Empty } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { TagTypeDialog } from './tag-type-dialog.tsx';

const path = getTagTypes({});

/** The kinds of tags, such as the team that a flag belongs to. */
export function TagTypesPage(): JSX.Element {
  const { value, problem } = useRead(path, 30_000);
  const { value: start } = useStart();
  const [edited, setEdited] = useState<TagType | 'new'>();
  const [deleting, setDeleting] = useState<string>();
  const reasonFor = (permission: string, act: string) =>
    start === undefined || mayIn(start, permission) ? undefined : `Needs the permission to ${act} tag types.`;
  return (
    <>
      <PageList
        title="Tag types"
        about="Kinds of tags, such as the team that a flag belongs to."
        actions={
          <Button
            kind="solid"
            icon="plus"
            reason={reasonFor('CREATE_TAG_TYPE', 'create')}
            onClick={() => setEdited('new')}
          >
            New tag type
          </Button>
        }
        problem={problem}
        onRetry={() => reload(path)}
        count={value?.tagTypes.length}
        empty={
          <Empty icon="tag" title="There is no tag type yet">
            A tag type makes tags such as “team: shop” possible.
          </Empty>
        }
      >
        {value?.tagTypes.map((type) => (
          <li key={type.name}>
            <Swatch color={type.color} />
            <div class="grow">
              <strong class="mono">{type.name}</strong>
              {type.description !== '' && <p>{type.description}</p>}
            </div>
            <span class="rows-acts">
              <Button
                kind="quiet"
                aria-label={`Edit ${type.name}`}
                reason={reasonFor('UPDATE_TAG_TYPE', 'change')}
                onClick={() => setEdited(type)}
              >
                <Icon name="pencil" />
              </Button>
              <Button
                kind="quiet"
                aria-label={`Delete ${type.name}`}
                reason={reasonFor('DELETE_TAG_TYPE', 'delete')}
                onClick={() => setDeleting(type.name)}
              >
                <Icon name="trash" />
              </Button>
            </span>
          </li>
        ))}
      </PageList>
      {edited !== undefined && <TagTypeDialog edited={edited} onClose={() => setEdited(undefined)} />}
      {deleting !== undefined && (
        <Confirm
          title={`Delete the tag type “${deleting}”?`}
          verb="Delete"
          isDanger
          act={async () => {
            await deleteTagType({ name: deleting });
            showMessage(`Deleted the tag type ${deleting}`);
            await reload(path);
          }}
          onClose={() => setDeleting(undefined)}
        >
          Its tags are deleted with it. It stays if a flag has one of them.
        </Confirm>
      )}
    </>
  );
}

/** The colour of a tag type. */
function Swatch({ color }: { readonly color: string | null }): JSX.Element {
  return <span class="swatch" aria-hidden="true" style={color === null ? {} : { backgroundColor: color }} />;
}
