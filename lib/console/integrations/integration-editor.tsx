import './integrations.css';
import type { JSX } from 'preact';
import type { AddonProvider } from '../../integrations/addon-schema.ts';
import { go } from '../browser/router.ts';
import { createAddon, getAddon, getAddons, updateAddon } from '../calls/integrations.ts';
import { reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import type { Versioned } from '../data/save-edits.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Banner, Empty, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
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
      {provider !== undefined && (
        <Editor provider={provider} original={{ value: buildForm(provider), etag: undefined }} />
      )}
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
        <Editor key={addon.id} provider={provider} original={{ value: toForm(addon), etag }} id={addon.id} />
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
      <Crumbs trail={[['Integrations', '/integrations']]} />
      <div class="page-head">
        <Heading title={title} />
      </div>
      {children}
    </main>
  );
}

interface EditorProps {
  readonly provider: AddonProvider;
  readonly original: Versioned<IntegrationForm>;
  /** The id of the integration that is edited; undefined for a new one. */
  readonly id?: number;
}

function Editor({ provider, original, id }: EditorProps): JSX.Element {
  const { value: start } = useStart();
  // Nothing keeps these edits: they may have a secret.
  const edits = useEdits({
    original,
    send: async (form, { etag }) => {
      const body = toInput(form);
      const { body: saved } = await (id === undefined
        ? createAddon({}, { body })
        : updateAddon({ id }, { body, ifMatch: etag }));
      return saved.id;
    },
    load: async () => (id === undefined ? undefined : loadVersioned(getAddon({ id }), toForm)),
    onSaved: async (_saved, savedId) => {
      showMessage(id === undefined ? 'It sends from now on. Send a test to see that it arrives.' : 'Saved');
      await reload(getAddons({}));
      go(`/integrations/${savedId}`);
    },
  });
  const { draft: form, set, refusal, problems } = edits;
  const problemAt = (at: string) => refusal?.details.find(({ path }) => path === at)?.message;
  const missing = listFormProblems(form, provider);
  const permission = id === undefined ? 'CREATE_ADDON' : 'UPDATE_ADDON';
  const shown = new Set(provider.parameters.map(({ name }) => `parameters.${name}`));
  const others = refusal?.details.filter(({ path }) => !shown.has(path ?? '')) ?? [];

  return (
    <form class="card integration-form" onSubmit={edits.save}>
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
      <FormFoot
        verb={id === undefined ? 'Add' : 'Save'}
        problems={refusal?.details.length ? others.map(({ message }) => message) : problems}
        isBusy={edits.isBusy}
        reason={
          mayIn(start, permission) ? missing.join(' ') || undefined : 'Needs the permission to change integrations.'
        }
        cancel={id === undefined ? '/integrations' : `/integrations/${id}`}
      />
      {edits.conflict}
    </form>
  );
}

function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
