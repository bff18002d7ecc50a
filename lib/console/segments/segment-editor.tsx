import '../parts/edits/edit-form.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { getContextFields } from '../calls/context-fields.ts';
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
import { loadAddress, peek, reload, useRead } from '../data/cache.ts';
import { type ConflictingEdits, saveEdits, type Versioned } from '../data/save-edits.ts';
import { mayIn, useStart } from '../data/start.ts';
import { useDraft } from '../data/use-draft.ts';
import { useSending } from '../data/use-sending.ts';
import { maySkipApproval, wayOf } from '../flag/change-way.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { ConflictDialog } from '../parts/edits/conflict-dialog.tsx';
import { DraftNotice } from '../parts/edits/draft-notice.tsx';
import { type Use, UsedBy } from '../parts/edits/used-by.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';
import { ConditionsEditor } from '../strategy/conditions-editor.tsx';
import { listConditionProblems } from '../strategy/draft.ts';
import { addToDraft, afterApproval, orWithoutApproval } from '../words/change-requests.ts';

const emptySegment: SegmentBody = { name: '', description: '', project: null, constraints: [] };

/** The page on which a segment is created or edited. @param id undefined for a new one. */
export function SegmentEditor({ id }: { readonly id?: string }): JSX.Element {
  const path = id === undefined ? undefined : getSegment({ id });
  const { value: segment, etag, problem } = useRead(path, 60_000);
  return (
    <main class="page">
      <Crumbs places={[['Segments', '/segments']]} />
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
  const { value: fields } = useRead(getContextFields({}), 60_000);
  const { value: found } = useRead(id === undefined ? undefined : getStrategiesBySegmentId({ id }), 60_000);
  const { opened, draft, setDraft, isEdited, restoredAt, discard, forget } = useDraft(
    `draft segment ${id ?? 'new'}`,
    original,
  );
  const { isBusy, problems: refusals, send } = useSending();
  const [conflicting, setConflicting] = useState<ConflictingEdits<SegmentBody>>();
  const [places, setPlaces] = useState<readonly ApprovalPlace[]>([]);
  const uses = found?.strategies ?? [];
  const maySkip =
    places.length > 0 && places.every((place) => maySkipApproval(start, { ...place, flag: '', approvals: 1 }));
  const set = (change: Partial<SegmentBody>) => setDraft({ ...draft, ...change });
  const choices = useMemo(
    () => (fields ?? []).map(({ name, legalValues }) => ({ name, legalValues: legalValues.map(({ value }) => value) })),
    [fields],
  );
  const problems = listConditionProblems(draft.constraints);
  const permission = id === undefined ? 'CREATE_SEGMENT' : 'UPDATE_SEGMENT';
  const isAllowed =
    mayIn(start, permission) || (draft.project !== null && mayIn(start, 'UPDATE_PROJECT_SEGMENT', draft.project));

  async function loadCurrent(): Promise<Versioned<SegmentBody> | undefined> {
    if (id === undefined) return undefined;
    const path = getSegment({ id });
    await reload(path);
    const { value, etag } = peek(path);
    return value && { value: toBody(value), etag };
  }

  async function save(mine: SegmentBody, base: Versioned<SegmentBody>, isDirectNow = false): Promise<void> {
    setConflicting(undefined);
    setPlaces([]);
    await send(async () => {
      if (id === undefined) await createSegment({}, { body: mine });
      else {
        const hasOtherConditions = JSON.stringify(mine.constraints) !== JSON.stringify(base.value.constraints);
        const needed = hasOtherConditions && !isDirectNow ? await findApprovalPlaces(uses, start) : [];
        if (needed.length > 0) return setPlaces(needed);
        const conflict = await saveEdits({
          opened: base,
          mine,
          send: (body, etag) => updateSegment({ id }, { body, ifMatch: etag }),
          loadCurrent,
        });
        if (conflict !== undefined) return setConflicting(conflict);
      }
      forget();
      showMessage(`Saved the segment ${mine.name}`);
      await Promise.all([reload(getSegments({})), ...(id === undefined ? [] : [reload(getSegment({ id }))])]);
      go('/segments');
    });
  }

  async function ask({ project, environment }: ApprovalPlace): Promise<void> {
    await send(async () => {
      const { body } = await addChangeRequestChanges(
        { projectId: project, environment },
        { body: { feature: null, action: 'updateSegment', payload: { ...draft, id } } },
      );
      forget();
      const [request] = [body].flat();
      if (request !== undefined) go(`/projects/${project}/change-requests/${request.id}`);
    });
  }

  return (
    <form
      class="card edit-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && problems.length === 0) void save(draft, opened);
      }}
    >
      <DraftNotice restoredAt={restoredAt} onDiscard={discard} />
      <Field label="Name">
        <input
          class="input"
          required
          maxLength={100}
          value={draft.name}
          placeholder="Beta testers"
          onInput={(event) => set({ name: event.currentTarget.value })}
        />
      </Field>
      <Field label="Description">
        <input
          class="input"
          value={draft.description}
          onInput={(event) => set({ description: event.currentTarget.value })}
        />
      </Field>
      <Field label="Who may use it">
        <select
          class="input"
          value={draft.project ?? ''}
          onChange={(event) => set({ project: event.currentTarget.value || null })}
        >
          <option value="">All projects</option>
          {start?.projects.map(({ id: project, name }) => (
            <option key={project} value={project}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <fieldset>
        <legend>Users for whom all of this holds</legend>
        <ConditionsEditor
          conditions={draft.constraints}
          fields={choices}
          onChange={(constraints: readonly Constraint[]) => set({ constraints })}
        />
      </fieldset>
      {uses.length > 0 && (
        <div>
          <h2>Used by</h2>
          <UsedBy uses={uses} />
        </div>
      )}
      <FormProblems problems={[...problems, ...refusals]} />
      {places.length > 0 && (
        <p role="status">
          Strategies use it where changes need approval, so these conditions go into your draft, which you then send for
          review. {afterApproval} {maySkip && orWithoutApproval}
        </p>
      )}
      <div class="page-actions">
        <ButtonLink href="/segments">Cancel</ButtonLink>
        {maySkip && (
          <Button isBusy={isBusy} onClick={() => save(draft, opened, true)}>
            Save without approval
          </Button>
        )}
        {places.map((place) => (
          <Button
            key={`${place.project} ${place.environment}`}
            icon="git-pull-request"
            isBusy={isBusy}
            onClick={() => ask(place)}
          >
            {addToDraft} in {place.project} / {place.environment}
          </Button>
        ))}
        {places.length === 0 && (
          <Button
            type="submit"
            kind="solid"
            isBusy={isBusy}
            isDisabled={!isEdited || problems.length > 0}
            reason={start === undefined || isAllowed ? undefined : 'Needs the permission to change segments.'}
          >
            Save
          </Button>
        )}
      </div>
      {conflicting !== undefined && (
        <ConflictDialog
          edits={conflicting}
          change={undefined}
          onChoose={(merged) => {
            setDraft(merged);
            void save(merged, conflicting.current);
          }}
          onClose={() => setConflicting(undefined)}
        />
      )}
    </form>
  );
}

/** Finds the environments that use a segment and in which the reader needs approval. */
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
