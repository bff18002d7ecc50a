import '../parts/filters.css';
import '../parts/forms/form.css';
import './person-page.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getProjectEnvironments } from '../calls/environments.ts';
import { getUserPermissions } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { ProjectOptions } from '../parts/forms/project-options.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { groupPermissions } from '../words/permissions.ts';

/** The rights of a person in the whole service, in a project, or in an environment of the project. */
export function PersonRights({ id, name }: { readonly id: number; readonly name: string }): JSX.Element {
  const [project, setProject] = useState('');
  const [environment, setEnvironment] = useState('');
  const { value: projectEnvironments } = useRead(
    project === '' ? undefined : getProjectEnvironments({ projectId: project }),
    60_000,
  );
  const query = { ...(project !== '' && { project }), ...(environment !== '' && { environment }) };
  const path = getUserPermissions({ id }, query);
  const { value, problem } = useRead(path, 60_000);
  return (
    <section class="section" aria-labelledby="rights">
      <h2 id="rights">What may they do?</h2>
      <div class="rights-place">
        <select
          class="input choice"
          aria-label="Project"
          value={project}
          onChange={(event) => {
            setProject(event.currentTarget.value);
            setEnvironment('');
          }}
        >
          <option value="">Everywhere</option>
          <ProjectOptions />
        </select>
        <select
          class="input choice"
          aria-label="Environment"
          value={environment}
          disabled={project === ''}
          onChange={(event) => setEnvironment(event.currentTarget.value)}
        >
          <option value="">Any environment</option>
          {projectEnvironments?.environments
            .filter(({ visible }) => visible)
            .map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
        </select>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={6} />}
      {value !== undefined && (
        <Answer
          name={name}
          permissions={[
            ...value.overview.root,
            ...(project === '' ? [] : value.overview.project),
            ...(environment === '' ? [] : value.overview.environment),
          ]}
          roles={[value.rootRole, ...value.projectRoles].map((role) => role.name)}
        />
      )}
    </section>
  );
}

interface AnswerProps {
  readonly name: string;
  readonly permissions: readonly {
    readonly name: string;
    readonly displayName: string;
    readonly hasPermission: boolean;
  }[];
  readonly roles: readonly string[];
}

function Answer({ name, permissions, roles }: AnswerProps): JSX.Element {
  const held = new Set(permissions.filter(({ hasPermission }) => hasPermission).map((each) => each.name));
  if (held.has('ADMIN')) {
    return <p class="section-note">{name} is an Admin, and may do everything everywhere.</p>;
  }
  return (
    <>
      <p class="section-note">Granted by {roles.join(', ')}, and by the roles of groups.</p>
      <div class="card rights">
        {groupPermissions(permissions).map(({ subject, permissions: rows }) => (
          <div key={subject}>
            <h3>{subject}</h3>
            <ul>
              {rows.map(({ name: permission, words }) => {
                const isHeld = held.has(permission);
                return (
                  <li key={permission} class={isHeld ? '' : 'refused'}>
                    <Icon name={isHeld ? 'check' : 'x'} label={isHeld ? 'May' : 'May not'} />
                    {words}
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </div>
    </>
  );
}
