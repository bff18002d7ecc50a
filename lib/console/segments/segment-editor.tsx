import '../parts/edits/edit-form.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { go } from '../browser/router.ts';
import { getProjectOverview } from '../calls/projects.ts';
import { addChangeRequestChanges } from '../calls/requests.ts';
import {
  createSegment,
  getSegment,
  getSegments,
  getStrategiesBySegmentId,
  type SegmentBody,
  updateSegment,
} from '../calls/segments.ts';
import { maySkipApproval, wayOf } from '../change/change-way.ts';
import { loadAddress, peek, reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import type { Versioned } from '../data/save-edits.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { type Use, UsedBy } from '../parts/edits/used-by.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { OwnerField } from '../parts/forms/owner-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { ConditionsEditor } from '../strategy/conditions-editor.tsx';
import { listConditionProblems } from '../strategy/draft.ts';
import { useFieldChoices } from '../strategy/use-field-choices.ts';
import { addToDraft, afterApproval, orWithoutApproval } from '../words/change-requests.ts';

const noUses: readonly Use[] = [];

const emptySegment: SegmentBody = { name: '', description: '', project: null, constraints: [] };

/** The page on which a segment is created or edited. @param id undefined for a new one. */
export function SegmentEditor({ id }: { readonly id?: string }): JSX.Element {
  const path = id === undefined ? undefined : getSegment({ id });
  const { value: segment, etag, problem } = useRead(path, 60_000);
  return (
    <main class="page">
      <Crumbs trail={[['Segments', '/segments']]} />
      <div class="page-head">
        <Heading title={id === undefined ? 'New segment' : (segment?.name ?? 'Segment')} />
      </div>
      {problem !== undefined && path !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {id !== undefined && segment === undefined && problem === undefined && <Skeleton rows={8} />}
      {id === undefined && <SegmentForm id={undefined} original={{ value: emptySegment, etag: undefined }} />}
      {segment !== undefined && <SegmentForm id={segment.id} original={{ value: toBody(segment), etag }} />}
    </main>
  );
}

function toBody({ name, description, project, constraints }: ShownSegment): SegmentBody {
  return { name, description, project, constraints };
}

/** A place where a change of a segment needs approval. */
interface ApprovalPlace {
  readonly project: string;
  readonly environment: string;
}

interface FormProps {
  readonly id: number | undefined;
  readonly original: Versioned<SegmentBody>;
}

function SegmentForm({ id, original }: FormProps): JSX.Element {
  const { value: start } = useStart();
  const fields = useFieldChoices();
  const { value: found } = useRead(id === undefined ? undefined : getStrategiesBySegmentId({ id }), 60_000);
  const edits = useEdits({
    key: `draft segment ${id ?? 'new'}`,
    original,
    send: async (body, { etag }) => {
      await (id === undefined ? createSegment({}, { body }) : updateSegment({ id }, { body, ifMatch: etag }));
      showMessage(`Saved the segment ${body.name}`);
      return '/segments';
    },
    load: async () => (id === undefined ? undefined : loadVersioned(getSegment({ id }), toBody)),
    onSaved: async (_saved, next) => {
      await reload(getSegments({}));
      go(next);
    },
  });
  const { opened, draft, set, isBusy } = edits;
  const uses = found?.strategies ?? noUses;
  const hasOtherConditions = JSON.stringify(draft.constraints) !== JSON.stringify(opened.constraints);
  const places = useApprovalPlaces(hasOtherConditions ? uses : noUses);
  const maySkip =
    places.length > 0 && places.every((place) => maySkipApproval(start, { ...place, flag: '', approvals: 1 }));
  const problems = listConditionProblems(draft.constraints);
  const permission = id === undefined ? 'CREATE_SEGMENT' : 'UPDATE_SEGMENT';
  const isAllowed =
    mayIn(start, permission) || (draft.project !== null && mayIn(start, 'UPDATE_PROJECT_SEGMENT', draft.project));

  /** Asks for approval of the edits. @returns the page of the change request. */
  async function ask(edited: SegmentBody, { project, environment }: ApprovalPlace): Promise<string> {
    const { body } = await addChangeRequestChanges(
      { projectId: project, environment },
      { body: { feature: null, action: 'updateSegment', payload: { ...edited, id } } },
    );
    return `/projects/${project}/change-requests/${[body].flat()[0]?.id}`;
  }

  return (
    <form
      class="card edit-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problems.length === 0) edits.save();
      }}
    >
      {edits.notice}
      <TextField
        label="Name"
        required
        maxLength={100}
        value={draft.name}
        placeholder="Beta testers"
        onInput={(name) => set({ name })}
      />
      <TextField label="Description" value={draft.description} onInput={(description) => set({ description })} />
      <OwnerField project={draft.project ?? null} onChoose={(project) => set({ project })} />
      <fieldset>
        <legend>Users for whom all of this holds</legend>
        <ConditionsEditor
          conditions={draft.constraints}
          fields={fields}
          onChange={(constraints: readonly Constraint[]) => set({ constraints })}
        />
      </fieldset>
      {uses.length > 0 && (
        <div>
          <h2>Used by</h2>
          <UsedBy uses={uses} />
        </div>
      )}
      <FormProblems problems={[...problems, ...edits.problems]} />
      {places.length > 0 && (
        <p role="status">
          Strategies use it where changes need approval, so these conditions go into your draft, which you then send for
          review. {afterApproval} {maySkip && orWithoutApproval}
        </p>
      )}
      <div class="page-actions">
        <ButtonLink href="/segments">Cancel</ButtonLink>
        {maySkip && (
          <Button isBusy={isBusy} onClick={() => edits.save()}>
            Save without approval
          </Button>
        )}
        {places.map((place) => (
          <Button
            key={`${place.project} ${place.environment}`}
            icon="git-pull-request"
            isBusy={isBusy}
            onClick={() => edits.saveBy((edited) => ask(edited, place))}
          >
            {addToDraft} in {place.project} / {place.environment}
          </Button>
        ))}
        {places.length === 0 && (
          <Button
            type="submit"
            kind="solid"
            isBusy={isBusy}
            isDisabled={!edits.isEdited || problems.length > 0}
            reason={start === undefined || isAllowed ? undefined : 'Needs the permission to change segments.'}
          >
            Save
          </Button>
        )}
      </div>
      {edits.conflict}
    </form>
  );
}

/** Finds the environments with some strategies in which the reader needs approval. */
function useApprovalPlaces(uses: readonly Use[]): readonly ApprovalPlace[] {
  const { value: start } = useStart();
  const [places, setPlaces] = useState<readonly ApprovalPlace[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void findApprovalPlaces(uses, start).then((found) => isCurrent && setPlaces(found));
    return () => {
      isCurrent = false;
    };
  }, [uses, start]);
  return places;
}

async function findApprovalPlaces(
  uses: readonly Use[],
  start: ConsoleStart | undefined,
): Promise<readonly ApprovalPlace[]> {
  const projects = [...new Set(uses.map(({ projectId }) => projectId))];
  const found = await Promise.all(
    projects.map(async (project) => {
      const path = getProjectOverview({ projectId: project });
      await loadAddress(path);
      const used = uses.filter(({ projectId }) => projectId === project).map(({ environment }) => environment);
      return (peek(path).value?.environments ?? [])
        .filter(({ environment, changeRequestsEnabled }) => changeRequestsEnabled && used.includes(environment))
        .map(({ environment }) => ({ project, environment }));
    }),
  );
  return found.flat().filter((place) => wayOf(start, { ...place, flag: '', approvals: 1 }) === 'approval');
}
