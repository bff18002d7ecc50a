import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiToken } from '../../tokens/api-token-schema.ts';
import { go, here } from '../browser/router.ts';
import { getAllEnvironments } from '../calls/environments.ts';
import { createApiToken, createProjectApiToken, getAllApiTokens, getProjectApiTokens } from '../calls/tokens.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { Check, Checks } from '../parts/forms/checks.tsx';
import { type ChoiceCard, ChoiceCards } from '../parts/forms/choice-cards.tsx';
import { ExpiryField } from '../parts/forms/expiry-field.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { NewSecret } from '../parts/forms/new-secret.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { mayIn, projectNameOf, useStart } from '../reader/start.ts';

type Kind = 'client' | 'frontend';

const kinds: readonly ChoiceCard<Kind>[] = [
  {
    ...{ value: 'client', title: 'On servers: a secret', icon: 'server' },
    text: 'For SDKs of Node, Java, Python and so on. They get the rules of all flags of its projects.',
  },
  {
    ...{ value: 'frontend', title: 'In pages: public', icon: 'globe' },
    text: 'For browsers and apps. Everybody can read it there; it gets only what is on for one user.',
  },
];

/** The page on which a token for SDKs is made; `?project=` makes one for that project alone. */
export function NewTokenPage(): JSX.Element {
  const project = new URLSearchParams(here.value.split('?')[1]).get('project') ?? undefined;
  const back = project === undefined ? '/tokens' : `/projects/${encodeURIComponent(project)}/settings#tokens`;
  const { value: start } = useStart();
  const name = projectNameOf(start, project);
  const [made, setMade] = useState<ApiToken>();
  return (
    <main class="page">
      <Crumbs trail={[[project === undefined ? 'Tokens' : `Tokens of ${name}`, back]]} />
      <div class="page-head">
        <Heading title="New token" />
      </div>
      {made === undefined ? (
        <TokenForm project={project} back={back} onMade={setMade} />
      ) : (
        <NewSecret title={made.tokenName} thing="token" secret={made.secret} onClose={() => go(back)}>
          <p>
            It reads the flags of {made.projects.includes('*') ? 'all projects' : made.projects.join(', ')} in{' '}
            {made.environment}. An SDK sends it to <code>{addressFor(made.type)}</code>. The page of each flag shows the
            code for it, under Who uses it.
          </p>
        </NewSecret>
      )}
    </main>
  );
}

function addressFor(type: ApiToken['type']): string {
  return `${location.origin}/api${type === 'frontend' ? '/frontend' : ''}`;
}

interface TokenFormProps {
  readonly project: string | undefined;
  readonly back: string;
  readonly onMade: (token: ApiToken) => void;
}

function TokenForm({ project, back, onMade }: TokenFormProps): JSX.Element {
  const { value: start } = useStart();
  const { value: list } = useRead(getAllEnvironments({}), 60_000);
  const { isBusy, problems, send } = useSending();
  const [kind, setKind] = useState<Kind>('client');
  const [tokenName, setName] = useState('');
  const [environment, setEnvironment] = useState('');
  const [isForAll, setForAll] = useState(true);
  const [projects, setProjects] = useState<readonly string[]>([]);
  const [expiresAt, setExpiry] = useState<string | null | undefined>(null);
  const environments = list?.environments ?? [];
  const chosen = environment || environments.find(({ type }) => type === 'development')?.name || environments[0]?.name;
  const isComplete =
    tokenName.trim() !== '' &&
    chosen !== undefined &&
    expiresAt !== undefined &&
    (project !== undefined || isForAll || projects.length > 0);
  const permission = kind === 'client' ? 'CREATE_CLIENT_API_TOKEN' : 'CREATE_FRONTEND_API_TOKEN';
  const mayCreate =
    mayIn(start, permission) || (project !== undefined && mayIn(start, 'CREATE_PROJECT_API_TOKEN', project));

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete) return;
    const body = { tokenName: tokenName.trim(), type: kind, environment: chosen, expiresAt };
    await send(async () => {
      const { body: token } = await (project === undefined
        ? createApiToken({}, { body: { ...body, projects: isForAll ? ['*'] : projects } })
        : createProjectApiToken({ projectId: project }, { body }));
      onMade(token);
      void reload(project === undefined ? getAllApiTokens({}) : getProjectApiTokens({ projectId: project }));
    });
  }

  return (
    <form class="card form form-card" onSubmit={create}>
      <ChoiceCards label="Where is it used?" cards={kinds} value={kind} onChoose={setKind} />
      <TextField
        label="Name"
        hint="The application that gets it, such as shop-backend."
        maxLength={255}
        required
        value={tokenName}
        onInput={setName}
      />
      <SelectField
        label="Environment"
        value={chosen}
        options={environments.map(({ name }) => name)}
        onChoose={setEnvironment}
      />
      {project === undefined && (
        <>
          <Check label="All projects, including future ones" isChecked={isForAll} onCheck={setForAll} />
          {!isForAll && (
            <Checks
              label="Projects"
              choices={(start?.projects ?? []).map(({ id, name }) => [id, name] as const)}
              chosen={projects}
              onChange={setProjects}
            />
          )}
        </>
      )}
      <ExpiryField onChange={setExpiry} />
      <FormFoot
        verb="Create the token"
        problems={problems}
        isBusy={isBusy}
        isDisabled={!isComplete}
        reason={start === undefined || mayCreate ? undefined : 'You may not create such a token'}
        cancel={back}
      />
    </form>
  );
}
