import { expireFlagLists } from '../change/expire-flag-lists.ts';
import './new-flag.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../browser/router.ts';
import { getProjectEnvironments } from '../calls/environments.ts';
import { createFeature, type FlagTag, toggleFeatureEnvironmentOn } from '../calls/flags.ts';
import { getProjectOverview } from '../calls/projects.ts';
import { addChangeRequestChanges } from '../calls/requests.ts';
import { useRead } from '../data/cache.ts';
import { Refusal } from '../data/client.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { TagsField } from '../parts/edits/tags-field.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { typeIcons } from '../parts/flag-icons.ts';
import { ChoiceCards } from '../parts/forms/choice-cards.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { showMessage, showProblem } from '../parts/toasts.tsx';
import { mayIn, projectNameOf, useStart } from '../reader/start.ts';
import { describeStrategy } from '../words/events.ts';
import { typeNames, typeSentences } from '../words/flags.ts';
import { NameField, useNameCheck } from './name-field.tsx';

interface NewFlag {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly tags: readonly FlagTag[];
  /** Undefined until somebody chooses: those of the type `development`. */
  readonly environments?: readonly string[];
}

const emptyFlag: NewFlag = { name: '', description: '', type: 'release', tags: [] };

const typeCards = Object.entries(typeNames).map(([value, title]) => ({
  ...{ value, title },
  text: typeSentences[value] ?? '',
  icon: typeIcons[value] ?? ('flag' as const),
}));

/** The page on which a flag is created. @param project undefined to choose one. */
export function NewFlagPage({ project: given }: { readonly project: string | undefined }): JSX.Element {
  const { value: start } = useStart();
  const projects = (start?.projects ?? []).filter(({ id }) => mayIn(start, 'CREATE_FEATURE', id));
  const [chosen, setChosen] = useState<string>();
  const project = given ?? chosen ?? projects[0]?.id;
  const { value: overview } = useRead(
    project === undefined ? undefined : getProjectOverview({ projectId: project }),
    60_000,
  );
  const environments = useEnvironments(project);
  const { draft, set, isBusy, problems, save, notice } = useEdits<NewFlag>({
    key: 'draft new flag',
    original: { value: emptyFlag, etag: undefined },
    send: async ({ name, description, type, tags }) => {
      if (project === undefined) return;
      const body = { name, type, tags, ...(description !== '' && { description }) };
      await createFeature({ projectId: project }, { body });
    },
    load: async () => undefined,
    onSaved: open,
  });
  const check = useNameCheck(draft.name, project);
  const switchedOn =
    draft.environments ??
    environments.filter(({ type, needsApproval }) => type === 'development' && !needsApproval).map(({ name }) => name);
  const reason =
    start !== undefined && project !== undefined && !mayIn(start, 'CREATE_FEATURE', project)
      ? `Needs the permission to create flags in ${project}.`
      : undefined;

  /** Switches the new flag on where it is wanted, and opens its page. */
  async function open({ name }: NewFlag): Promise<void> {
    if (project === undefined) return;
    expireFlagLists();
    const chosen = environments.filter((environment) => switchedOn.includes(environment.name));
    const asked = await switchOn(project, name, chosen);
    showMessage(
      asked === undefined ? `Created ${name}` : `Created ${name}. Its switch is in your draft: send that for review.`,
    );
    go(`/projects/${project}/${asked === undefined ? `features/${name}` : `change-requests/${asked}`}`);
  }

  return (
    <main class="page">
      <Crumbs
        trail={[
          ['Flags', '/'],
          ...(given === undefined ? [] : [[projectNameOf(start, given), `/projects/${given}`] as const]),
        ]}
      />
      <div class="page-head">
        <Heading title="New flag" />
      </div>
      <form
        class="card new-flag"
        onSubmit={(event) => {
          event.preventDefault();
          if (check === 'free' && reason === undefined) save();
        }}
      >
        {notice}
        {given === undefined && (
          <SelectField
            label="Project"
            value={project}
            options={projects.map(({ id, name }) => [id, name] as const)}
            onChoose={setChosen}
          />
        )}
        <NameField
          label="Name"
          name={draft.name}
          check={check}
          hint={describeNaming(overview?.featureNaming)}
          onInput={(name) => set({ name })}
        />
        <TextArea
          label="Description"
          rows={2}
          placeholder="What it switches"
          value={draft.description}
          onInput={(description) => set({ description })}
        />
        <ChoiceCards label="Type" cards={typeCards} value={draft.type} onChoose={(type) => set({ type })} />
        <TagsField tags={draft.tags} onChange={(tags) => set({ tags })} />
        <fieldset class="new-flag-environments">
          <legend>Switch on in</legend>
          {environments.map(({ name, needsApproval }) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={switchedOn.includes(name)}
                onChange={() =>
                  set({
                    environments: switchedOn.includes(name)
                      ? switchedOn.filter((each) => each !== name)
                      : [...switchedOn, name],
                  })
                }
              />
              {name}
              {needsApproval && (
                <small>
                  <Icon name="shield" size={13} /> needs approval: goes into your draft
                </small>
              )}
            </label>
          ))}
          {switchedOn.length > 0 && (
            <p class="muted">
              {environments
                .filter(({ name }) => switchedOn.includes(name))
                .map(({ name, strategy }) => `${name} gets the strategy “${strategy}”.`)
                .join(' ')}
            </p>
          )}
        </fieldset>
        <FormFoot
          verb="Create flag"
          problems={problems}
          isBusy={isBusy}
          isDisabled={check !== 'free'}
          reason={reason}
          cancel={given === undefined ? '/' : `/projects/${given}`}
        />
      </form>
    </main>
  );
}

interface NewFlagEnvironment {
  readonly name: string;
  readonly type: string;
  readonly needsApproval: boolean;
  /** The strategy that a flag without one gets where it is switched on. */
  readonly strategy: string;
}

const everyone = { name: 'default' };

/** Reads the environments of a project, with the rules that hold there. */
function useEnvironments(project: string | undefined): readonly NewFlagEnvironment[] {
  const values = project === undefined ? undefined : { projectId: project };
  const { value: all } = useRead(values && getProjectEnvironments(values), 60_000);
  const { value: overview } = useRead(values && getProjectOverview(values), 60_000);
  const isProtected = (name: string) =>
    overview?.environments.some(
      ({ environment, changeRequestsEnabled }) => environment === name && changeRequestsEnabled,
    );
  return (all?.environments ?? [])
    .filter(({ visible }) => visible)
    .map(({ name, type, defaultStrategy = everyone }) => ({
      ...{ name, type, needsApproval: isProtected(name) ?? false },
      strategy: describeStrategy(defaultStrategy),
    }));
}

/** Switches a new flag on. @returns the id of the change request that was needed, if one was. */
async function switchOn(
  project: string,
  feature: string,
  environments: readonly NewFlagEnvironment[],
): Promise<number | undefined> {
  let asked: number | undefined;
  for (const { name: environment, needsApproval } of environments) {
    const values = { projectId: project, environment };
    try {
      if (needsApproval) {
        const payload = { enabled: true, shouldActivateDisabledStrategies: false };
        const { body } = await addChangeRequestChanges(values, { body: { feature, action: 'updateEnabled', payload } });
        asked = [body].flat()[0]?.id;
      } else await toggleFeatureEnvironmentOn({ ...values, featureName: feature });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      showProblem(`${feature} is created, but still off in ${environment}: ${error.message}`);
    }
  }
  return asked;
}

interface Naming {
  readonly pattern: string | null;
  readonly example: string | null;
  readonly description: string | null;
}

function describeNaming(naming: Naming | undefined): string | undefined {
  if (naming?.pattern == null) return undefined;
  const { pattern, example, description } = naming;
  return [description, example !== null && `Like ${example}.`, `Pattern: ${pattern}`].filter(Boolean).join(' ');
}
