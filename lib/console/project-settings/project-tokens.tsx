import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { getProjectApiTokens } from '../calls/tokens.ts';
import { reload, useRead } from '../data/cache.ts';
import { ActionLink } from '../parts/action-link.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { TokenTable } from '../tokens/token-table.tsx';

/** The tokens of SDKs that read this project; those for all projects are not among them. */
export function ProjectTokens({ project }: { readonly project: string }): JSX.Element {
  const path = getProjectApiTokens({ projectId: project });
  const { value, problem } = useRead(path, 60_000);
  const { value: start } = useStart();
  const add = (
    <ActionLink
      kind="plain"
      icon="plus"
      href={`/tokens/new?project=${encodeURIComponent(project)}`}
      reason={mayIn(start, 'CREATE_PROJECT_API_TOKEN', project) ? undefined : 'You may not create tokens here'}
    >
      New token
    </ActionLink>
  );
  return (
    <section class="section" aria-label="Tokens">
      <div class="section-head">
        <p class="section-note">
          Tokens for all projects read this one, too. They are in the <a href="/tokens">list of all</a>.
        </p>
        {value !== undefined && value.tokens.length > 0 && add}
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={3} />}
      {value?.tokens.length === 0 && (
        <div class="card">
          <Empty icon="key-round" title="No token for this project alone" action={add}>
            An application needs one to ask for its flags.
          </Empty>
        </div>
      )}
      {value !== undefined && value.tokens.length > 0 && (
        <TokenTable tokens={value.tokens} creations={[]} project={project} onChanged={() => reload(path)} />
      )}
    </section>
  );
}
