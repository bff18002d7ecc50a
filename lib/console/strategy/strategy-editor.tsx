import '../parts/board.css';
import '../parts/chip.css';
import './strategy-editor.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getContextFields } from '../calls/context-fields.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { addChangeRequestChanges } from '../calls/requests.ts';
import { getSegments } from '../calls/segments.ts';
import { addFeatureStrategy, updateFeatureStrategy } from '../calls/strategies.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { type ConflictingEdits, saveEdits, type Versioned } from '../data/save-edits.ts';
import { mayIn, useStart } from '../data/start.ts';
import { useDraft } from '../data/use-draft.ts';
import { useSending } from '../data/use-sending.ts';
import { maySkipApproval, reasonAgainst, wayOf } from '../flag/change-way.ts';
import { Emergency } from '../override/emergency.tsx';
import { OverrideDialog } from '../override/override-dialog.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs, useProjectPlace } from '../parts/crumbs.tsx';
import { ConflictDialog } from '../parts/edits/conflict-dialog.tsx';
import { DraftNotice } from '../parts/edits/draft-notice.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go, here } from '../shell/router.ts';
import { addToDraft, describeDraft, orWithoutApproval } from '../words/change-requests.ts';
import { describeStrategy } from '../words/events.ts';
import { ConditionsEditor } from './conditions-editor.tsx';
import { describeSaved } from './describe-effect.ts';
import { buildNewDraft, type Draft, draftKey, listDraftProblems, toDraft, toStrategyBody } from './draft.ts';
import { StrategyEffect } from './strategy-effect.tsx';
import { VariantsEditor } from './variants-editor.tsx';

interface PageProps {
  readonly project: string;
  readonly feature: string;
}

/** The page on which a strategy of a flag is added or edited. */
export function StrategyEditor({ project, feature }: PageProps): JSX.Element {
  const path = getConsoleFlag({ projectId: project, featureName: feature });
  const { value: flag, problem } = useRead(path, 60_000);
  const query = new URLSearchParams(here.value.split('?')[1]);
  const environment = query.get('environmentId') ?? '';
  const strategyId = query.get('strategyId') ?? undefined;
  const original = useMemo(() => flag && findOriginal(flag, environment, strategyId), [flag, environment, strategyId]);
  const name =
    strategyId === undefined ? 'New strategy' : original === undefined ? 'Strategy' : describeStrategy({ ...original });
  return (
    <main class="page wide">
      <Crumbs
        places={[['Flags', '/'], useProjectPlace(project), [feature, `/projects/${project}/features/${feature}`]]}
      />
      <div class="page-head">
        <Heading title={`${name} in ${environment}`} />
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {flag === undefined && problem === undefined && <Skeleton rows={8} />}
      {flag !== undefined && original === undefined && (
        <Banner tone="warn" icon="triangle-alert" title="This strategy is gone">
          Somebody has removed it. <a href={`/projects/${project}/features/${feature}`}>Back to the flag</a>
        </Banner>
      )}
      {flag !== undefined && original !== undefined && (
        <Editor key={strategyId} flag={flag} environment={environment} strategyId={strategyId} original={original} />
      )}
    </main>
  );
}

/**
 * Finds the strategy that the editor begins with: the one that is edited, or a new one as the project wants it.
 * @returns undefined for a strategy that is gone.
 */
function findOriginal(flag: ConsoleFlag, environment: string, strategyId: string | undefined): Draft | undefined {
  if (strategyId === undefined) {
    const usual = flag.environments.find(({ name }) => name === environment)?.defaultStrategy;
    return buildNewDraft(flag.feature.name, usual);
  }
  const strategy = findStrategy(flag, environment, strategyId);
  return strategy && toDraft(strategy);
}

function findStrategy({ feature }: ConsoleFlag, environment: string, strategyId: string) {
  const { strategies = [] } = feature.environments.find(({ name }) => name === environment) ?? {};
  return strategies.find(({ id }) => id === strategyId);
}

interface EditorProps {
  readonly flag: ConsoleFlag;
  readonly environment: string;
  readonly strategyId: string | undefined;
  readonly original: Draft;
}

function Editor({ flag, environment, strategyId, original }: EditorProps): JSX.Element {
  const { feature, version } = flag;
  const path = getConsoleFlag({ projectId: feature.project, featureName: feature.name });
  const { value: start } = useStart();
  const { value: contextFields } = useRead(getContextFields({}), 60_000);
  const { value: allSegments } = useRead(getSegments({}), 60_000);
  const key = draftKey(feature, environment, strategyId);
  const { opened, draft, setDraft, isEdited, restoredAt, discard, forget } = useDraft(key, {
    value: original,
    etag: version,
  });
  const { isBusy, problems: refusals, send } = useSending();
  const [conflicting, setConflicting] = useState<ConflictingEdits<Draft>>();
  const [isOverriding, setOverriding] = useState(false);
  const approvals = flag.environments.find(({ name }) => name === environment)?.approvals;
  const isOn = feature.environments.find(({ name }) => name === environment)?.enabled ?? false;
  const place = { flag: feature.name, project: feature.project, environment, approvals };
  const isDirect = wayOf(start, place) === 'direct';
  const maySkip = maySkipApproval(start, place);
  const problems = listDraftProblems(draft);
  const mayOverride =
    !isDirect &&
    problems.length === 0 &&
    isEdited &&
    mayIn(start, 'APPROVE_CHANGE_REQUEST', feature.project, environment);
  const fields = useMemo(
    () =>
      (contextFields ?? []).map(({ name, legalValues }) => ({
        name,
        legalValues: legalValues.map(({ value }) => value),
      })),
    [contextFields],
  );
  const sticky = (contextFields ?? []).filter(({ stickiness }) => stickiness).map(({ name }) => name);
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const setParameter = (name: string, value: string) => set({ parameters: { ...draft.parameters, [name]: value } });

  /** Saves edits of a version, or asks whose change counts where somebody else has changed the same. */
  async function save(mine: Draft, base: Versioned<Draft>, isDirectNow = isDirect): Promise<void> {
    setConflicting(undefined);
    const values = { projectId: feature.project, featureName: feature.name, environment };
    const isSaved = await send(async () => {
      if (!isDirectNow) return ask(mine);
      if (strategyId === undefined) await addFeatureStrategy(values, { body: toStrategyBody(mine) });
      else {
        const found = await saveEdits({
          opened: base,
          mine,
          send: (edits, etag) =>
            updateFeatureStrategy({ ...values, strategyId }, { body: toStrategyBody(edits), ifMatch: etag }),
          loadCurrent,
        });
        if (found !== undefined) return setConflicting(found);
      }
      showMessage(describeSaved(environment, isOn));
      leave(`/projects/${feature.project}/features/${feature.name}`);
    });
    if (!isSaved) void reload(path);
  }

  async function ask(mine: Draft): Promise<void> {
    const body = toStrategyBody(mine);
    const { body: asked } = await addChangeRequestChanges(
      { projectId: feature.project, environment },
      {
        body: {
          feature: feature.name,
          ...(strategyId === undefined
            ? { action: 'addStrategy', payload: body }
            : { action: 'updateStrategy', payload: { ...body, id: strategyId } }),
        },
      },
    );
    leave(`/projects/${feature.project}/change-requests/${[asked].flat()[0]?.id}`);
  }

  async function loadCurrent(): Promise<Versioned<Draft> | undefined> {
    await reload(path);
    const { value: now } = peek(path);
    const strategy = now && strategyId !== undefined ? findStrategy(now, environment, strategyId) : undefined;
    return strategy && { value: toDraft(strategy), etag: now?.version };
  }

  function leave(to: string): void {
    forget();
    void reload(path);
    go(to);
  }

  return (
    <div class="board">
      <div class="board-left">
        <DraftNotice restoredAt={restoredAt} onDiscard={discard} />
        <section class="card editor-card">
          <Field label="Name (optional)">
            <input
              class="input"
              value={draft.title}
              placeholder="Beta testers"
              onInput={(event) => set({ title: event.currentTarget.value })}
            />
          </Field>
          {draft.name === 'flexibleRollout' ? (
            <Rollout draft={draft} fields={sticky} onSet={setParameter} />
          ) : (
            <Parameters draft={draft} onSet={setParameter} />
          )}
        </section>
        <section class="card editor-card" aria-labelledby="editor-conditions">
          <h2 id="editor-conditions">Only where all of this holds</h2>
          <SegmentsEditor
            chosen={draft.segments}
            all={allSegments?.segments ?? []}
            project={feature.project}
            onChange={(segments) => set({ segments })}
          />
          <ConditionsEditor
            conditions={draft.constraints}
            fields={fields}
            onChange={(constraints) => set({ constraints })}
          />
        </section>
        <section class="card editor-card" aria-labelledby="editor-variants">
          <h2 id="editor-variants">Variants</h2>
          <VariantsEditor
            variants={draft.variants}
            stickiness={draft.parameters.stickiness ?? 'default'}
            onChange={(variants) => set({ variants })}
          />
        </section>
      </div>
      <div class="board-right editor-right">
        <StrategyEffect
          flag={flag}
          environment={environment}
          strategyId={strategyId}
          draft={draft}
          segments={allSegments?.segments ?? []}
          fields={fields}
        />
        <div class="editor-foot">
          <FormProblems problems={[...problems, ...refusals]} />
          <p class="muted">
            {isDirect ? isOn && 'SDKs get it within seconds.' : describeDraft(environment, approvals)}{' '}
            {maySkip && orWithoutApproval}
          </p>
          {mayOverride && <Emergency onOverride={() => setOverriding(true)} />}
          <div class="page-actions">
            <ButtonLink href={`/projects/${feature.project}/features/${feature.name}`}>Cancel</ButtonLink>
            {maySkip && (
              <Button
                isBusy={isBusy}
                isDisabled={problems.length > 0 || (!isEdited && strategyId !== undefined)}
                onClick={() => save(draft, opened, true)}
              >
                Save without approval
              </Button>
            )}
            <Button
              kind="solid"
              isBusy={isBusy}
              isDisabled={problems.length > 0 || (!isEdited && strategyId !== undefined)}
              reason={reasonAgainst(
                start,
                strategyId === undefined ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_STRATEGY',
                place,
                'change strategies',
              )}
              onClick={() => save(draft, opened)}
            >
              {isDirect ? 'Save' : addToDraft}
            </Button>
          </div>
        </div>
      </div>
      {isOverriding && (
        <OverrideDialog
          project={feature.project}
          environment={environment}
          verb="save"
          onStarted={() => save(draft, opened, true)}
          onClose={() => setOverriding(false)}
          onBack={() => setOverriding(false)}
        />
      )}
      {conflicting !== undefined && (
        <ConflictDialog
          edits={conflicting}
          change={flag.events[0]}
          onChoose={(merged) => {
            setDraft(merged);
            void save(merged, conflicting.current);
          }}
          onClose={() => setConflicting(undefined)}
        />
      )}
    </div>
  );
}

interface ParametersProps {
  readonly draft: Draft;
  readonly onSet: (name: string, value: string) => void;
}

function Rollout({ draft, fields, onSet }: ParametersProps & { readonly fields: readonly string[] }): JSX.Element {
  const { rollout = '100', stickiness = 'default' } = draft.parameters;
  const choices = [...new Set([stickiness, 'default', 'userId', 'sessionId', 'random', ...fields])];
  return (
    <>
      <div class="rollout">
        <Field label="Share of users">
          <input
            type="range"
            min={0}
            max={100}
            value={rollout}
            onInput={(event) => onSet('rollout', event.currentTarget.value)}
          />
        </Field>
        <Field label="Per cent">
          <input
            class="input"
            type="number"
            min={0}
            max={100}
            value={rollout}
            onInput={(event) => onSet('rollout', event.currentTarget.value)}
          />
        </Field>
      </div>
      <Field label="The same ones each time by">
        <select class="input" value={stickiness} onChange={(event) => onSet('stickiness', event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice === 'default' ? 'userId, else session, else random' : choice}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}

/** The parameters of a strategy of another type than a gradual rollout. */
function Parameters({ draft, onSet }: ParametersProps): JSX.Element {
  return (
    <>
      {Object.entries(draft.parameters).map(([name, value]) => (
        <Field key={name} label={name}>
          <input class="input" value={value} onInput={(event) => onSet(name, event.currentTarget.value)} />
        </Field>
      ))}
    </>
  );
}

interface SegmentsProps {
  readonly chosen: readonly number[];
  readonly all: readonly { readonly id: number; readonly name: string; readonly project?: string | null }[];
  readonly project: string;
  readonly onChange: (chosen: readonly number[]) => void;
}

function SegmentsEditor({ chosen, all, project, onChange }: SegmentsProps): JSX.Element {
  const usable = all.filter((segment) => !segment.project || segment.project === project);
  const others = usable.filter(({ id }) => !chosen.includes(id));
  return (
    <div class="editor-segments">
      {chosen.map((id) => {
        const name = all.find((segment) => segment.id === id)?.name ?? `segment ${id}`;
        return (
          <button
            key={id}
            type="button"
            class="chip"
            aria-label={`Remove the segment ${name}`}
            onClick={() => onChange(chosen.filter((each) => each !== id))}
          >
            in {name} <Icon name="x" size={12} />
          </button>
        );
      })}
      {others.length > 0 && (
        <select
          class="input"
          aria-label="Add a segment"
          value=""
          onChange={(event) => onChange([...chosen, Number(event.currentTarget.value)])}
        >
          <option value="">Add a segment</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
