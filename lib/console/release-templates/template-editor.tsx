import '../parts/edits/edit-form.css';
import './template-editor.css';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { go, here } from '../browser/router.ts';
import { getSegments } from '../calls/segments.ts';
import {
  createReleasePlanTemplate,
  getReleasePlanTemplate,
  updateReleasePlanTemplate,
} from '../calls/template-content.ts';
import { expire, reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import type { Versioned } from '../data/save-edits.ts';
import { Button } from '../parts/button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { OwnerField } from '../parts/forms/owner-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Tag } from '../parts/small.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { projectNameOf, useStart } from '../reader/start.ts';
import { useFieldChoices } from '../strategy/use-field-choices.ts';
import { MilestoneEditor } from './milestone-editor.tsx';
import { StrategyDialog } from './strategy-dialog.tsx';
import { listAddress, reasonAgainstTemplate } from './template-addresses.ts';
import {
  buildNewMilestone,
  buildNewTemplate,
  copyTemplate,
  findProblemsOfMilestone,
  listTemplateProblems,
  type MilestoneDraft,
  moveTo,
  placeProblems,
  type TemplateDraft,
  toTemplateBody,
  toTemplateDraft,
} from './template-draft.ts';

/** The page on which a release template is created. `?project=` begins with a project, `?from=` with a copy of a template. */
export function NewTemplatePage(): JSX.Element {
  const [query] = useState(() => new URLSearchParams(here.value.split('?')[1]));
  const from = query.get('from');
  const project = query.get('project');
  const path = from === null ? undefined : getReleasePlanTemplate({ templateId: from });
  const { value: template, problem } = useRead(path, 60_000);
  const [blank] = useState(() => buildNewTemplate(project));
  const original = from === null ? blank : template && copyTemplate(template);
  return (
    <Frame title="New release template" project={original?.project ?? project}>
      {problem !== undefined && path !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {original === undefined && problem === undefined && <Skeleton rows={8} />}
      {original !== undefined && (
        <TemplateForm
          id={undefined}
          draftKey={`draft new release template ${from ?? project ?? ''}`}
          original={{ value: original, etag: undefined }}
        />
      )}
    </Frame>
  );
}

/** The page on which a release template is edited. */
export function TemplatePage({ id }: { readonly id: string }): JSX.Element {
  const path = getReleasePlanTemplate({ templateId: id });
  const { value: template, etag, problem } = useRead(path, 60_000);
  return (
    <Frame
      title={template?.name ?? 'Release template'}
      project={template?.project ?? null}
      isArchived={template !== undefined && template.archivedAt !== null}
    >
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {template === undefined && problem === undefined && <Skeleton rows={8} />}
      {template !== undefined && (
        <TemplateForm
          key={id}
          id={id}
          draftKey={`draft release template ${id}`}
          original={{ value: toTemplateDraft(template), etag }}
        />
      )}
    </Frame>
  );
}

interface FrameProps {
  readonly title: string;
  readonly project: string | null;
  readonly isArchived?: boolean;
  readonly children: JSX.Element['props']['children'];
}

function Frame({ title, project, isArchived = false, children }: FrameProps): JSX.Element {
  const { value: start } = useStart();
  return (
    <main class="page">
      <Crumbs
        trail={
          project === null
            ? [['Release templates', listAddress(null)]]
            : [
                [projectNameOf(start, project), `/projects/${encodeURIComponent(project)}`],
                ['Release templates', listAddress(project)],
              ]
        }
      />
      <div class="page-head">
        <Heading title={title} />
        {isArchived && <Tag tone="warn">Archived</Tag>}
      </div>
      {children}
    </main>
  );
}

interface FormProps {
  /** The id of the template; undefined for a new one. */
  readonly id: string | undefined;
  /** The name under which this tab keeps the edits. */
  readonly draftKey: string;
  readonly original: Versioned<TemplateDraft>;
}

function TemplateForm({ id, draftKey, original }: FormProps): JSX.Element {
  const { value: start } = useStart();
  const { value: allSegments } = useRead(getSegments({}), 60_000);
  const segments = allSegments?.segments ?? [];
  const fields = useFieldChoices();
  const [editing, setEditing] = useState<{ readonly milestoneId: string; readonly strategyId: string }>();
  // Problems that the service finds are those of the draft that was sent.
  const sent = useRef(original.value);
  const edits = useEdits({
    key: draftKey,
    original,
    send: (draft, { etag }) => {
      sent.current = draft;
      const body = toTemplateBody(draft);
      return id === undefined
        ? createReleasePlanTemplate({}, { body })
        : updateReleasePlanTemplate({ templateId: id }, { body, ifMatch: etag });
    },
    load: async () =>
      id === undefined ? undefined : loadVersioned(getReleasePlanTemplate({ templateId: id }), toTemplateDraft),
    onSaved: ({ name, project }) => {
      // They are in the lists of all and of projects, live and archived.
      expire('/api/admin/');
      showMessage(`Saved the release template ${name.trim()}`);
      go(listAddress(project));
    },
  });
  const { opened, draft, set, isEdited } = edits;
  const { milestones } = draft;
  const placed = placeProblems(edits, sent.current);
  const problems = listTemplateProblems(draft);
  const reason = reasonAgainstTemplate(start, id === undefined ? 'CREATE' : 'UPDATE', opened.project ?? draft.project);

  const edited = milestones.find((milestone) => milestone.id === editing?.milestoneId);
  const strategy = edited?.strategies.find((each) => each.id === editing?.strategyId);

  function changeMilestone(milestoneId: string, change: Partial<MilestoneDraft>): void {
    set({ milestones: milestones.map((each) => (each.id === milestoneId ? { ...each, ...change } : each)) });
  }

  return (
    <>
      <form class="template-form" onSubmit={edits.save}>
        {edits.notice}
        <div class="card edit-form">
          <TextField
            label="Name"
            required
            maxLength={100}
            placeholder="Careful rollout"
            value={draft.name}
            problem={placed.name}
            onInput={(name) => set({ name })}
          />
          <TextField label="Description" value={draft.description} onInput={(description) => set({ description })} />
          <OwnerField project={draft.project ?? null} onChoose={(project) => set({ project })} />
        </div>
        {milestones.map((milestone, index) => (
          <MilestoneEditor
            key={milestone.id}
            milestone={milestone}
            index={index}
            isLast={index === milestones.length - 1}
            problems={{ ...placed.milestones.get(milestone.id), ...findProblemsOfMilestone(milestones, index) }}
            strategyProblems={placed.strategies}
            segments={segments}
            onChange={(change) => changeMilestone(milestone.id, change)}
            onEdit={(strategyId) => setEditing({ milestoneId: milestone.id, strategyId })}
            onMove={(by) => set({ milestones: moveTo(milestones, index, index + by) })}
            onRemove={() => set({ milestones: milestones.toSpliced(index, 1) })}
          />
        ))}
        <div>
          <Button icon="plus" onClick={() => set({ milestones: [...milestones, buildNewMilestone(milestones)] })}>
            Add a milestone
          </Button>
        </div>
        <p class="muted">
          A flag that gets a plan from this template gets a copy. Changes of the template do not reach plans that exist.
        </p>
        <FormFoot
          verb={id === undefined ? 'Create' : 'Save'}
          problems={placed.others}
          isBusy={edits.isBusy}
          isDisabled={id !== undefined && !isEdited}
          reason={reason ?? (problems.join(' ') || undefined)}
          cancel={listAddress(opened.project)}
        />
      </form>
      {edits.conflict}
      {edited !== undefined && strategy !== undefined && (
        <StrategyDialog
          milestone={edited.name.trim()}
          strategy={strategy}
          project={draft.project}
          fields={fields}
          segments={segments}
          onChange={(change) =>
            changeMilestone(edited.id, {
              strategies: edited.strategies.map((each) => (each === strategy ? { ...each, ...change } : each)),
            })
          }
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}
