import '../parts/forms/form.css';
import './settings.css';
import type { JSX } from 'preact';
import type { LinkTemplate, ProjectOverview, ProjectSettings } from '../../projects/project-schema.ts';
import { getProjectOverview, updateProjectEnterpriseSettings } from '../calls/projects.ts';
import { peek } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import { mayIn, useStart } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Icon } from '../parts/icon.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { findPatternProblem } from './naming.ts';

/** The most templates of a project. */
const templatesMax = 10;

/** The rules for new flags while they are edited. */
interface FlagRules {
  readonly pattern: string;
  readonly example: string;
  readonly description: string;
  readonly templates: readonly LinkTemplate[];
}

function toRules({ featureNaming: { pattern, example, description }, linkTemplates }: ProjectOverview): FlagRules {
  return {
    ...{ pattern: pattern ?? '', example: example ?? '', description: description ?? '' },
    templates: linkTemplates,
  };
}

function toSettings({ pattern, example, description, templates }: FlagRules): ProjectSettings {
  return {
    featureNaming: { pattern: pattern || null, example: example || null, description: description || null },
    linkTemplates: templates.filter(({ urlTemplate }) => urlTemplate !== ''),
  };
}

interface RulesForFlagsProps {
  readonly project: string;
  readonly overview: ProjectOverview;
}

/** The pattern for the names of new flags, and the links that they get. */
export function RulesForFlags({ project, overview }: RulesForFlagsProps): JSX.Element {
  const { value: start } = useStart();
  const path = getProjectOverview({ projectId: project });
  const { draft, set, isBusy, problems, save, conflict } = useEdits({
    original: { value: toRules(overview), etag: peek(path).etag },
    send: (rules, etag) =>
      updateProjectEnterpriseSettings({ projectId: project }, { body: toSettings(rules), ifMatch: etag }),
    load: () => loadVersioned(path, toRules),
    onSaved: () => showMessage('The rules for new flags are saved'),
  });
  const { pattern, example, templates } = draft;
  const setTemplates = (changed: readonly LinkTemplate[]) => set({ templates: changed });
  const mayEdit = ['UPDATE_PROJECT', 'PROJECT_SETTINGS_WRITE'].some((each) => mayIn(start, each, project));
  const setTemplate = (index: number, change: Partial<LinkTemplate>) =>
    setTemplates(templates.map((each, at) => (at === index ? { ...each, ...change } : each)));

  return (
    <form class="card form form-card section" onSubmit={save}>
      <h2>Names</h2>
      <Field
        label="Pattern"
        hint="A regular expression that the whole name of a new flag has to match. Empty for no pattern."
        problem={findPatternProblem(pattern, example)}
      >
        <input
          class="input mono"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={500}
          value={draft.pattern}
          onInput={(event) => set({ pattern: event.currentTarget.value })}
        />
      </Field>
      <Field label="Example" hint="A name that matches.">
        <input
          class="input mono"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={draft.example}
          onInput={(event) => set({ example: event.currentTarget.value })}
        />
      </Field>
      <Field label="In words" hint="Who creates a flag reads this beside the name.">
        <textarea
          class="input"
          rows={2}
          value={draft.description}
          onInput={(event) => set({ description: event.currentTarget.value })}
        />
      </Field>
      <h2>Links</h2>
      <p class="section-note">
        Each new flag gets these. <code>{'{{project}}'}</code> and <code>{'{{feature}}'}</code> stand for the names.
      </p>
      {templates.map((template, index) => (
        <div key={index} class="link-template">
          <Field label={`Title ${index + 1}`}>
            <input
              class="input"
              autocomplete="off"
              value={template.title ?? ''}
              onInput={(event) => setTemplate(index, { title: event.currentTarget.value || null })}
            />
          </Field>
          <Field label={`Address ${index + 1}`}>
            <input
              class="input"
              type="url"
              pattern="https?://.+"
              placeholder="https://"
              autocomplete="off"
              required
              value={template.urlTemplate}
              onInput={(event) => setTemplate(index, { urlTemplate: event.currentTarget.value })}
            />
          </Field>
          <Button
            kind="quiet"
            aria-label={`Remove link ${index + 1}`}
            onClick={() => setTemplates(templates.filter((_, at) => at !== index))}
          >
            <Icon name="x" />
          </Button>
        </div>
      ))}
      <div>
        <Button
          icon="plus"
          isDisabled={templates.length >= templatesMax}
          onClick={() => setTemplates([...templates, { title: null, urlTemplate: '' }])}
        >
          Add a link
        </Button>
      </div>
      <FormProblems problems={problems} />
      <div class="form-foot">
        <Button
          kind="solid"
          type="submit"
          isBusy={isBusy}
          reason={mayEdit ? undefined : 'You may not edit these rules'}
        >
          Save
        </Button>
      </div>
      {conflict}
    </form>
  );
}
