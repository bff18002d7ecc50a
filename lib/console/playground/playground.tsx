import '../parts/board.css';
import '../parts/edits/edit-form.css';
import './playground.css';
import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { go, here } from '../browser/router.ts';
import { getContextFields } from '../calls/context-fields.ts';
import { getAllEnvironments } from '../calls/environments.ts';
import { getAdvancedPlayground, type PlaygroundAnswer } from '../calls/playground.ts';
import { useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Chips, toggle } from '../parts/forms/chips.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty } from '../parts/states.tsx';
import { useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { MilestoneChoice } from './milestone-choice.tsx';
import { PlaygroundResults } from './playground-results.tsx';
import {
  buildPlaygroundRequest,
  countContexts,
  ownFields,
  parseQuestion,
  type Question,
  writeQuestion,
} from './question.ts';

/** Answers which flags a user gets, and why, without an application. The address holds the question. */
export function PlaygroundPage(): JSX.Element {
  const { value: start } = useStart();
  const { value: environments } = useRead(getAllEnvironments({}), 60_000);
  const { value: fields } = useRead(getContextFields({}), 60_000);
  const [question, setQuestion] = useState<Question>(() =>
    parseQuestion(new URLSearchParams(here.peek().split('?')[1])),
  );
  const [answer, setAnswer] = useState<PlaygroundAnswer>();
  const { isBusy, problems, send } = useSending();
  const set = (change: Partial<Question>) => setQuestion({ ...question, ...change });
  const names = environments?.environments.map(({ name }) => name) ?? [];
  const usual = environments?.environments.filter(({ enabled }) => enabled).map(({ name }) => name);
  const chosen = question.environments.length === 0 ? (usual ?? []).slice(0, 1) : question.environments;
  const contexts = countContexts(question);

  async function ask(asked: Question): Promise<void> {
    await send(async () => {
      const { body } = await getAdvancedPlayground({}, { body: buildPlaygroundRequest(asked) });
      setAnswer(body);
      go(`/playground?${writeQuestion(asked)}`, { replace: true });
    });
  }

  useEffect(() => {
    // An address that somebody has sent is answered at once.
    if (question.environments.length > 0) void ask(question);
  }, []);

  return (
    <main class="page wide">
      <div class="page-head">
        <div class="grow">
          <Heading title="Playground" />
          <p class="playground-about">Which flags a user gets, and why. Nothing is changed, and nothing is counted.</p>
        </div>
      </div>
      <div class="playground">
        <form
          class="card edit-form"
          onSubmit={(event) => {
            event.preventDefault();
            void ask({ ...question, environments: chosen });
          }}
        >
          <Chips
            label="Environments"
            options={names.map((name) => [name, name] as const)}
            chosen={chosen}
            onPress={(name) => set({ environments: toggle(chosen, name) })}
          />
          <Chips
            label="Projects (none for all)"
            options={(start?.projects ?? []).map(({ id, name }) => [id, name] as const)}
            chosen={question.projects}
            onPress={(id) => set({ projects: toggle(question.projects, id) })}
          />
          <MilestoneChoice
            environments={chosen}
            chosen={question.milestones}
            onChange={(milestones) => set({ milestones })}
          />
          <ContextFields
            context={question.context}
            fields={(fields ?? []).map(({ name, legalValues }) => ({
              name,
              legalValues: legalValues.map(({ value }) => value),
            }))}
            onChange={(context) => set({ context })}
          />
          <FormProblems problems={problems} />
          <div class="page-actions">
            {contexts > 1 && <span class="muted">{countOf(contexts, 'context')}</span>}
            <Button type="submit" kind="solid" isBusy={isBusy} isDisabled={chosen.length === 0}>
              Evaluate
            </Button>
          </div>
        </form>
        {answer === undefined ? (
          <div class="card">
            <Empty icon="flask-conical" title="Describe a user">
              Commas between values ask for several users at once, such as “anna,bob”.
            </Empty>
          </div>
        ) : (
          <PlaygroundResults answer={answer} />
        )}
      </div>
    </main>
  );
}

interface ContextFieldsProps {
  readonly context: Question['context'];
  readonly fields: readonly { readonly name: string; readonly legalValues: readonly string[] }[];
  readonly onChange: (context: Question['context']) => void;
}

function ContextFields({ context, fields, onChange }: ContextFieldsProps): JSX.Element {
  const [added, setAdded] = useState('');
  const id = useId();
  const names = [...new Set([...ownFields, ...fields.map(({ name }) => name), ...Object.keys(context)])].filter(
    // The environment is asked above.
    (name) => name !== 'environment',
  );
  return (
    <fieldset>
      <legend>User</legend>
      <div class="playground-context">
        {names.map((name, index) => {
          const legalValues = fields.find((field) => field.name === name)?.legalValues ?? [];
          return (
            <label key={name} class="field">
              <span class="mono">{name}</span>
              <input
                class="input"
                autocomplete="off"
                list={legalValues.length > 0 ? `${id}-${index}` : undefined}
                placeholder={name === 'currentTime' ? '2026-12-31T23:59:59Z' : undefined}
                value={context[name] ?? ''}
                onInput={(event) => onChange({ ...context, [name]: event.currentTarget.value })}
              />
              {legalValues.length > 0 && (
                <datalist id={`${id}-${index}`}>
                  {legalValues.map((value) => (
                    <option key={value} value={value} />
                  ))}
                </datalist>
              )}
            </label>
          );
        })}
      </div>
      <div class="playground-add">
        <input
          class="input mono"
          aria-label="Name of another field"
          placeholder="Another field"
          autocapitalize="none"
          value={added}
          onInput={(event) => setAdded(event.currentTarget.value.trim())}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || added === '') return;
            event.preventDefault();
            add();
          }}
        />
        <Button icon="plus" isDisabled={added === '' || names.includes(added)} onClick={add}>
          Add
        </Button>
      </div>
    </fieldset>
  );

  function add(): void {
    onChange({ ...context, [added]: '' });
    setAdded('');
  }
}
