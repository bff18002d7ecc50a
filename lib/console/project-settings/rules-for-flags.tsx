import '../parts/forms/form.css';
import './settings.css';
import type { JSX } from 'preact';
import type { LinkTemplate, ProjectOverview, ProjectSettings } from '../../projects/project-schema.ts';
import { getProjectOverview, updateProjectEnterpriseSettings } from '../calls/projects.ts';
import { peek } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import { Button } from '../parts/button.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextArea, TextField } from '../parts/forms/text-field.tsx';
import { Icon } from '../parts/icon.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
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
  const { draft, set, isBusy, problems, save, notice, conflict } = useEdits({
    key: `draft rules for flags ${project}`,
    original: { value: toRules(overview), etag: peek(path).etag },
    send: (rules, { etag }) =>
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
      {notice}
      <h2>Names</h2>
      <TextField
        label="Pattern"
        hint="A regular expression that the whole name of a new flag has to match. Empty for no pattern."
        problem={findPatternProblem(pattern, example)}
        isCode
        maxLength={500}
        value={draft.pattern}
        onInput={(pattern) => set({ pattern })}
      />
      <TextField
        label="Example"
        hint="A name that matches."
        isCode
        value={draft.example}
        onInput={(example) => set({ example })}
      />
      <TextArea
        label="In words"
        hint="Who creates a flag reads this beside the name."
        rows={2}
        value={draft.description}
        onInput={(description) => set({ description })}
      />
      <h2>Links</h2>
      <p class="section-note">
        Each new flag gets these. <code>{'{{project}}'}</code> and <code>{'{{feature}}'}</code> stand for the names.
      </p>
      {templates.map((template, index) => (
        <div key={index} class="link-template">
          <TextField
            label={`Title ${index + 1}`}
            value={template.title ?? ''}
            onInput={(title) => setTemplate(index, { title: title || null })}
          />
          <TextField
            label={`Address ${index + 1}`}
            type="url"
            pattern="https?://.+"
            placeholder="https://"
            required
            value={template.urlTemplate}
            onInput={(urlTemplate) => setTemplate(index, { urlTemplate })}
          />
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
      <FormFoot
        verb="Save"
        problems={problems}
        isBusy={isBusy}
        reason={mayEdit ? undefined : 'You may not edit these rules'}
      />
      {conflict}
    </form>
  );
}
