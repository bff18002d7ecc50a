import '../parts/board.css';
import '../parts/chip.css';
import './strategy-editor.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { listAll } from '../../delivery/preview/live-strategies.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { go, here } from '../browser/router.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { updateReleasePlanStrategy } from '../calls/release-plans.ts';
import { addChangeRequestChanges } from '../calls/requests.ts';
import { getSegments } from '../calls/segments.ts';
import { addFeatureStrategy, updateFeatureStrategy } from '../calls/strategies.ts';
import { maySkipApproval, reasonAgainst, wayOf } from '../change/change-way.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import type { Versioned } from '../data/save-edits.ts';
import { Emergency } from '../override/emergency.tsx';
import { OverrideDialog } from '../override/override-dialog.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs, useProjectCrumb } from '../parts/crumbs.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Heading } from '../parts/heading.tsx';
import { Later } from '../parts/later.tsx';
import { Pill } from '../parts/small.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { addToDraft, describeDraft, orWithoutApproval } from '../words/change-requests.ts';
import { describeStrategy } from '../words/events.ts';
import { describeSaved } from './describe-effect.ts';
import { buildNewDraft, type Draft, draftKey, listDraftProblems, toDraft, toStrategyBody } from './draft.ts';
import { StrategyEffect } from './strategy-effect.tsx';
import { StrategyFields } from './strategy-fields.tsx';
import { useFieldChoices } from './use-field-choices.ts';
import { findMilestone, newStrategyId, withDraft } from './with-draft.ts';

// Those who edit a strategy elsewhere load the fields with this page.
export { StrategyFields };

/** Loads the code that explains flags, which the editor can do without. */
const loadUserOfDraft = async () => (await import('../why/why.tsx')).UserOfDraft;

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
  const state = flag?.feature.environments.find((each) => each.name === environment);
  const milestone = state && findMilestone(state, strategyId);
  const knownName = original === undefined ? 'Strategy' : describeStrategy({ ...original });
  const name = strategyId === undefined ? 'New strategy' : knownName;
  return (
    <main class="page wide">
      <Crumbs
        trail={[['Flags', '/'], useProjectCrumb(project), [feature, `/projects/${project}/features/${feature}`]]}
      />
      <div class="page-head">
        <Heading title={environment === '' ? name : `${name} in ${environment}`} />
        {milestone !== undefined && <Pill icon="rocket">Milestone “{milestone.name}”</Pill>}
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {flag === undefined && problem === undefined && <Skeleton rows={8} />}
      {flag !== undefined && original === undefined && (
        <Banner
          tone="warn"
          icon="triangle-alert"
          title="There is no such strategy or environment"
          action={<ButtonLink href={`/projects/${project}/features/${feature}`}>Back to the flag</ButtonLink>}
        >
          Somebody may have removed it.
        </Banner>
      )}
      {flag !== undefined && original !== undefined && (
        <Editor
          key={draftKey(flag.feature, environment, strategyId)}
          flag={flag}
          environment={environment}
          strategyId={strategyId}
          original={original}
        />
      )}
    </main>
  );
}

/**
 * Finds the strategy that the editor begins with: the one that is edited, or a new one as the project wants it.
 * @returns undefined for a strategy or an environment that is not there.
 */
function findOriginal(flag: ConsoleFlag, environment: string, strategyId: string | undefined): Draft | undefined {
  if (strategyId === undefined) {
    const state = flag.environments.find(({ name }) => name === environment);
    return state && buildNewDraft(flag.feature.name, state.defaultStrategy);
  }
  const strategy = findStrategy(flag, environment, strategyId);
  return strategy && toDraft(strategy);
}

function findStrategy({ feature }: ConsoleFlag, environment: string, strategyId: string) {
  const state = feature.environments.find(({ name }) => name === environment);
  return state && listAll(state).find(({ id }) => id === strategyId);
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
  const fields = useFieldChoices();
  const { value: allSegments } = useRead(getSegments({}), 60_000);
  const [isOverriding, setOverriding] = useState(false);
  const approvals = flag.environments.find(({ name }) => name === environment)?.approvals;
  const state = feature.environments.find(({ name }) => name === environment);
  const isOn = state?.enabled ?? false;
  const milestone = state && findMilestone(state, strategyId);
  const isActive = milestone === undefined || milestone.id === state?.releasePlans[0]?.activeMilestoneId;
  const use = { environment, isOn, milestone: isActive ? undefined : milestone.name };
  const place = { flag: feature.name, project: feature.project, environment, approvals };
  const isDirect = wayOf(start, place) === 'direct';
  const maySkip = maySkipApproval(start, place);
  const page = `/projects/${feature.project}/features/${feature.name}`;
  const edits = useEdits({
    key: draftKey(feature, environment, strategyId),
    original: { value: original, etag: version },
    send: isDirect ? change : ask,
    load: async () => {
      await reload(path);
      const { value: now } = peek(path);
      const strategy = now && strategyId !== undefined ? findStrategy(now, environment, strategyId) : undefined;
      return strategy && { value: toDraft(strategy), etag: now?.version };
    },
    onSaved: (_saved, next) => go(next),
    lastChange: flag.events[0],
  });
  const { draft, set, isEdited } = edits;
  const edited = useMemo(
    () => withDraft(flag, environment, strategyId, draft, allSegments?.segments ?? []),
    [flag, environment, strategyId, draft, allSegments],
  );
  const problems = listDraftProblems(draft);
  const mayOverride =
    !isDirect &&
    problems.length === 0 &&
    isEdited &&
    mayIn(start, 'APPROVE_CHANGE_REQUEST', feature.project, environment);
  /** Changes the strategy. @returns the page of the flag. */
  async function change(edited: Draft, { etag }: Versioned<Draft>): Promise<string> {
    const values = { projectId: feature.project, featureName: feature.name, environment };
    const body = toStrategyBody(edited);
    const update = milestone === undefined ? updateFeatureStrategy : updateReleasePlanStrategy;
    if (strategyId === undefined) await addFeatureStrategy(values, { body });
    else await update({ ...values, strategyId }, { body, ifMatch: etag });
    showMessage(describeSaved(use));
    return page;
  }

  /** Asks for approval of the change. @returns the page of the change request. */
  async function ask(edited: Draft): Promise<string> {
    const body = toStrategyBody(edited);
    const { body: asked } = await addChangeRequestChanges(
      { projectId: feature.project, environment },
      {
        body: {
          feature: feature.name,
          ...(strategyId === undefined
            ? { action: 'addStrategy', payload: body }
            : {
                action: milestone === undefined ? 'updateStrategy' : 'updateMilestoneStrategy',
                payload: { ...body, id: strategyId },
              }),
        },
      },
    );
    return `/projects/${feature.project}/change-requests/${[asked].flat()[0]?.id}`;
  }

  return (
    <div class="board">
      <div class="board-left">
        {edits.notice}
        <StrategyFields
          draft={draft}
          project={feature.project}
          fields={fields}
          segments={allSegments?.segments ?? []}
          onChange={set}
        />
      </div>
      <div class="board-right editor-right">
        <StrategyEffect
          flag={flag}
          edited={edited}
          environment={environment}
          milestone={use.milestone}
          draft={draft}
          fields={fields}
        />
        <div class="editor-foot">
          <FormProblems problems={[...problems, ...edits.problems]} />
          <p class="muted">
            {isDirect ? isOn && isActive && 'SDKs get it within seconds.' : describeDraft(environment, approvals)}{' '}
            {maySkip && orWithoutApproval}
          </p>
          {mayOverride && <Emergency onOverride={() => setOverriding(true)} />}
          <div class="page-actions">
            <ButtonLink href={page}>Cancel</ButtonLink>
            {maySkip && (
              <Button
                isBusy={edits.isBusy}
                isDisabled={problems.length > 0 || (!isEdited && strategyId !== undefined)}
                onClick={() => edits.saveBy(change)}
              >
                Save without approval
              </Button>
            )}
            <Button
              kind="solid"
              isBusy={edits.isBusy}
              isDisabled={problems.length > 0 || (!isEdited && strategyId !== undefined)}
              reason={reasonAgainst(
                start,
                strategyId === undefined ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_STRATEGY',
                place,
                'change strategies',
              )}
              onClick={edits.save}
            >
              {isDirect ? 'Save' : addToDraft}
            </Button>
          </div>
        </div>
        <Later
          load={loadUserOfDraft}
          props={{ draft: edited, edited: strategyId ?? newStrategyId, today: flag, environment }}
        />
      </div>
      {isOverriding && (
        <OverrideDialog
          project={feature.project}
          environment={environment}
          verb="save"
          onStarted={() => edits.saveBy(change)}
          onClose={() => setOverriding(false)}
          onBack={() => setOverriding(false)}
        />
      )}
      {edits.conflict}
    </div>
  );
}
