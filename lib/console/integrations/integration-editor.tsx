import './integrations.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AddonProvider, ShownAddon } from '../../integrations/addon-schema.ts';
import { createAddon, getAddon, getAddons, updateAddon } from '../calls/integrations.ts';
import { reload, useRead } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { mayIn, useStart } from '../data/start.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { Field, FieldProblem } from '../parts/field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Banner, Empty, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';
import { EventChoice, NameChoice } from './integration-filters.tsx';
import { buildForm, type IntegrationForm, listFormProblems, toForm, toInput } from './integration-form.ts';
import { ParameterField } from './parameter-field.tsx';

const providersEveryMs = 60_000;

/** The page on which an integration of a provider is added. */
export function NewIntegration({ provider: name }: { readonly provider: string }): JSX.Element {
  const { value, problem } = useRead(getAddons({}), providersEveryMs);
  const provider = value?.providers.find((each) => each.name === name);
  return (
    <EditorFrame title={`New integration${provider === undefined ? '' : ` with ${provider.displayName}`}`}>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(getAddons({}))} />}
      {value === undefined && problem === undefined && <Skeleton rows={8} />}
      {value !== undefined && provider === undefined && (
        <Empty icon="send" title="There is no such service">
          <a href="/integrations">All integrations</a>
        </Empty>
      )}
      {provider !== undefined && <Editor provider={provider} initial={buildForm(provider)} />}
    </EditorFrame>
  );
}

/** The page on which an integration is edited. */
export function EditIntegration({ id }: { readonly id: string }): JSX.Element {
  const { value, problem } = useRead(getAddons({}), providersEveryMs);
  const { value: addon, etag, problem: ownProblem } = useRead(getAddon({ id }), providersEveryMs);
  const provider = value?.providers.find((each) => each.name === addon?.provider);
  const failure = ownProblem ?? problem;
  return (
    <EditorFrame title="Edit the integration">
      {failure !== undefined && <Problem problem={failure} onRetry={() => reload(getAddon({ id }))} />}
      {(value === undefined || addon === undefined) && failure === undefined && <Skeleton rows={8} />}
      {provider !== undefined && addon !== undefined && (
        <Editor key={addon.id} provider={provider} initial={toForm(addon)} addon={addon} etag={etag} />
      )}
    </EditorFrame>
  );
}

function EditorFrame({
  title,
  children,
}: {
  readonly title: string;
  readonly children: JSX.Element['props']['children'];
}) {
  return (
    <main class="page">
      <Crumbs places={[['Integrations', '/integrations']]} />
      <div class="page-head">
        <Heading title={title} />
      </div>
      {children}
    </main>
  );
}

interface EditorProps {
  readonly provider: AddonProvider;
  readonly initial: IntegrationForm;
  /** The integration that is edited; undefined for a new one. */
  readonly addon?: ShownAddon;
  readonly etag?: string | undefined;
}

function Editor({ provider, initial, addon, etag }: EditorProps): JSX.Element {
  const { value: start } = useStart();
  const [form, setForm] = useState(initial);
  const [version, setVersion] = useState(etag);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Refusal>();
  const set = (change: Partial<IntegrationForm>) => setForm({ ...form, ...change });
  const problemAt = (at: string) => problem?.details.find(({ path }) => path === at)?.message;
  const missing = listFormProblems(form, provider);
  const permission = addon === undefined ? 'CREATE_ADDON' : 'UPDATE_ADDON';
  const shown = new Set(provider.parameters.map(({ name }) => `parameters.${name}`));
  const others = problem?.details.filter(({ path }) => !shown.has(path ?? '')) ?? [];

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const { body } =
        addon === undefined
          ? await createAddon({}, { body: toInput(form) })
          : await updateAddon({ id: addon.id }, { body: toInput(form), ifMatch: version });
      showMessage(addon === undefined ? 'It sends from now on. Send a test to see that it arrives.' : 'Saved');
      await Promise.all([reload(getAddons({})), reload(getAddon({ id: body.id }))]);
      go(`/integrations/${body.id}`);
    } catch (error) {
      setProblem(error as Refusal);
      setBusy(false);
      if ((error as Refusal).status !== 412 || addon === undefined) return;
      const path = getAddon({ id: addon.id });
      await reload(path);
      setVersion(undefined);
    }
  }

  return (
    <form class="card integration-form" onSubmit={save}>
      {provider.howTo !== undefined && <p class="muted">{provider.howTo}</p>}
      {provider.alerts?.map(({ text, type }) => (
        <Banner key={text} tone={type === 'warning' ? 'warn' : 'info'} icon="info" title={text} />
      ))}
      {provider.installation !== undefined && (
        <p>
          {provider.installation.helpText}{' '}
          <a class="link" href={provider.installation.url} target="_blank" rel="noreferrer">
            {provider.installation.title}
          </a>
        </p>
      )}
      <TextField
        label="What is it for?"
        hint="Shown in the list, such as “Tell the on-call team”."
        value={form.description}
        onInput={(description) => set({ description })}
      />
      {provider.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={form.parameters[parameter.name] ?? ''}
          problem={problemAt(`parameters.${parameter.name}`)}
          onInput={(value) => set({ parameters: { ...form.parameters, [parameter.name]: value } })}
        />
      ))}
      <EventChoice all={provider.events} chosen={form.events} onChange={(events) => set({ events })} />
      <NameChoice
        label="Projects"
        all={(start?.projects ?? []).map(({ id, name }) => ({ id, name }))}
        chosen={form.projects}
        everything="All projects"
        onChange={(projects) => set({ projects })}
      />
      <Field label="Environments" hint="Names with commas between them; empty for all.">
        <input
          class="input"
          value={form.environments.join(', ')}
          onChange={(event) => set({ environments: splitNames(event.currentTarget.value) })}
        />
      </Field>
      {problem?.status === 412 && (
        <FieldProblem text="Somebody changed this integration while you edited. Saving again replaces their change." />
      )}
      {problem !== undefined &&
        problem.status !== 412 &&
        (problem.details.length === 0 ? [problem] : others).map(({ message }) => (
          <FieldProblem key={message} text={message} />
        ))}
      <div class="page-actions">
        <ButtonLink href={addon === undefined ? '/integrations' : `/integrations/${addon.id}`}>Cancel</ButtonLink>
        <Button
          kind="solid"
          type="submit"
          isBusy={isBusy}
          reason={
            mayIn(start, permission)
              ? missing.length > 0
                ? missing.join(' ')
                : undefined
              : 'Needs the permission to change integrations.'
          }
        >
          {addon === undefined ? 'Add' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
