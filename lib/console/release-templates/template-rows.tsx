import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedReleaseTemplate } from '../../release-plans/template-schema.ts';
import { go } from '../browser/router.ts';
import {
  archiveReleasePlanTemplate,
  deleteReleasePlanTemplate,
  reviveReleasePlanTemplate,
} from '../calls/release-templates.ts';
import { expire } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Menu } from '../parts/menu.tsx';
import { Ago } from '../parts/small.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';
import { reasonAgainstTemplate } from './template-addresses.ts';

interface TemplateRowsProps {
  readonly templates: readonly ListedReleaseTemplate[];
  /** Reads the list again. */
  readonly onChanged: () => Promise<void>;
}

/** Release templates as rows of a list, with what can be done with each. */
export function TemplateRows({ templates, onChanged }: TemplateRowsProps): JSX.Element {
  const [deleting, setDeleting] = useState<ListedReleaseTemplate>();
  async function finish(message: string): Promise<void> {
    // They are in the lists of all and of projects, live and archived.
    expire('/api/admin/');
    showMessage(message);
    await onChanged();
  }
  return (
    <>
      {templates.map((template) => (
        <Row key={template.id} template={template} finish={finish} onDelete={() => setDeleting(template)} />
      ))}
      {deleting !== undefined && (
        <Confirm
          title={`Delete the release template “${deleting.name}”?`}
          verb="Delete"
          isDanger
          act={async () => {
            await deleteReleasePlanTemplate({ templateId: deleting.id });
            await finish(`Deleted ${deleting.name}`);
          }}
          onClose={() => setDeleting(undefined)}
        >
          <p>Its milestones are gone then. An archived template leaves the lists, too, and can be revived.</p>
        </Confirm>
      )}
    </>
  );
}

interface RowProps {
  readonly template: ListedReleaseTemplate;
  readonly finish: (message: string) => Promise<void>;
  readonly onDelete: () => void;
}

function Row({ template, finish, onDelete }: RowProps): JSX.Element {
  const { id, name, description, project, archivedAt } = template;
  const { value: start } = useStart();
  const turn = (act: typeof archiveReleasePlanTemplate, message: string) => () =>
    void attempt(async () => {
      await act({ templateId: id });
      await finish(message);
    });
  const removal = { isDanger: true, reason: reasonAgainstTemplate(start, 'DELETE', project) };
  return (
    <li>
      <div class="grow">
        <a href={`/release-templates/edit/${encodeURIComponent(id)}`}>
          <strong>{name}</strong>
        </a>
        {description !== '' && <p>{description}</p>}
        {archivedAt !== null && (
          <p>
            archived <Ago time={archivedAt} />
          </p>
        )}
      </div>
      <span class="rows-acts">
        {archivedAt !== null && (
          <Button
            icon="rotate-ccw"
            aria-label={`Revive ${name}`}
            reason={reasonAgainstTemplate(start, 'UPDATE', project)}
            onClick={turn(reviveReleasePlanTemplate, `Revived ${name}`)}
          >
            Revive
          </Button>
        )}
        <Menu
          label={`More about ${name}`}
          items={[
            {
              ...{ label: 'Copy', icon: 'copy' },
              reason: reasonAgainstTemplate(start, 'CREATE', project),
              onChoose: () => go(`/release-templates/create?from=${encodeURIComponent(id)}`),
            },
            ...(archivedAt === null
              ? [
                  {
                    ...{ ...removal, isDanger: false, label: 'Archive', icon: 'archive' as const },
                    onChoose: turn(archiveReleasePlanTemplate, `Archived ${name}`),
                  },
                ]
              : []),
            { ...removal, label: 'Delete', icon: 'trash', onChoose: onDelete },
          ]}
        />
      </span>
    </li>
  );
}
