import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  getAllEnvironments,
  type ListedEnvironment,
  removeEnvironment,
  toggleEnvironmentOff,
  toggleEnvironmentOn,
  updateSortOrder,
} from '../calls/environments.ts';
import { getConsoleProjects } from '../calls/projects.ts';
import { patch, reload, useRead } from '../data/cache.ts';
import { Refusal } from '../data/client.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { PageList } from '../parts/page-list.tsx';
import { Pill } from '../parts/small.tsx';
import { Empty } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage, showProblem } from '../parts/toasts.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { EnvironmentDialog } from './environment-dialog.tsx';

const path = getAllEnvironments({});

/** The environments in their order, such as development and production. */
export function EnvironmentsPage(): JSX.Element {
  const { value, problem } = useRead(path, 30_000);
  const { value: start } = useStart();
  const [edited, setEdited] = useState<ListedEnvironment | 'new'>();
  const [deleting, setDeleting] = useState<ListedEnvironment>();
  const reason = start === undefined || isAdmin(start) ? undefined : 'Only Admins change environments.';
  const environments = value?.environments ?? [];
  const projects = useRead(getConsoleProjects({}), 60_000).value?.projects ?? [];
  return (
    <>
      <PageList
        title="Environments"
        about="Where applications run. A flag has a switch and strategies of its own in each."
        actions={
          <Button kind="solid" icon="plus" reason={reason} onClick={() => setEdited('new')}>
            New environment
          </Button>
        }
        problem={problem}
        onRetry={() => reload(path)}
        count={value?.environments.length}
        empty={
          <Empty icon="globe" title="There is no environment">
            Applications need one to get flags.
          </Empty>
        }
      >
        {environments.map((environment, index) => (
          <li key={environment.name}>
            <Icon name={environment.type === 'production' ? 'globe' : 'layers'} />
            <div class="grow">
              <strong>{environment.name}</strong>{' '}
              {environment.type !== environment.name && <span class="muted">{environment.type}</span>}{' '}
              <ProtectedIn count={projects.filter((each) => each.protected.includes(environment.name)).length} />
              {environment.protected && <Pill icon="lock">Fixed</Pill>}
              {environment.requiredApprovals !== null && (
                <Pill icon="shield">{countOf(environment.requiredApprovals, 'approval')} in new projects</Pill>
              )}
              <p>
                {countOf(environment.projectCount, 'project')} · {countOf(environment.enabledToggleCount, 'flag')} on ·{' '}
                {countOf(environment.apiTokenCount, 'token')}
                {!environment.enabled && ' · new projects do not get it'}
              </p>
            </div>
            <span class="rows-acts">
              <Switch
                isOn={environment.enabled}
                label={`New projects get ${environment.name}`}
                reason={reason}
                onSwitch={(isOn) => void switchEnvironment(environment.name, isOn)}
              />
              <Menu
                label={`Acts on ${environment.name}`}
                items={[
                  ...(index > 0
                    ? [
                        {
                          label: 'Move up',
                          icon: 'arrow-up',
                          reason,
                          onChoose: () => void move(environments, index, -1),
                        } as const,
                      ]
                    : []),
                  ...(index < environments.length - 1
                    ? [
                        {
                          label: 'Move down',
                          icon: 'arrow-down',
                          reason,
                          onChoose: () => void move(environments, index, 1),
                        } as const,
                      ]
                    : []),
                  {
                    label: 'Edit',
                    icon: 'pencil',
                    reason: environment.protected ? 'It is fixed.' : reason,
                    onChoose: () => setEdited(environment),
                  },
                  {
                    label: 'Delete',
                    icon: 'trash',
                    isDanger: true,
                    reason: environment.protected ? 'It is fixed.' : reason,
                    onChoose: () => setDeleting(environment),
                  },
                ]}
              />
            </span>
          </li>
        ))}
      </PageList>
      {edited !== undefined && <EnvironmentDialog edited={edited} onClose={() => setEdited(undefined)} />}
      {deleting !== undefined && (
        <Confirm
          title={`Delete the environment ${deleting.name}?`}
          verb="Delete"
          isDanger
          act={async () => {
            await removeEnvironment({ name: deleting.name });
            showMessage(`Deleted the environment ${deleting.name}`);
            await reload(path);
          }}
          onClose={() => setDeleting(undefined)}
        >
          <p>
            {deleting.apiTokenCount === 0
              ? ''
              : `${countOf(deleting.apiTokenCount, 'token')} of it stop working at once. `}
            The strategies of all flags there are gone, in {countOf(deleting.projectCount, 'project')};{' '}
            {countOf(deleting.enabledToggleCount, 'flag is', 'flags are')} on in it.
          </p>
        </Confirm>
      )}
    </>
  );
}

function ProtectedIn({ count }: { readonly count: number }): JSX.Element | null {
  return count === 0 ? null : <Pill icon="shield">Protected in {countOf(count, 'project')}</Pill>;
}

async function tryTo(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showProblem(error.message);
    return false;
  }
}

/** Offers an environment to new projects, or no longer. */
async function switchEnvironment(name: string, isOn: boolean): Promise<void> {
  const takeBack = patch(path, (value) => ({
    ...value,
    environments: value.environments.map((each) => (each.name === name ? { ...each, enabled: isOn } : each)),
  }));
  if (await tryTo(() => (isOn ? toggleEnvironmentOn : toggleEnvironmentOff)({ name })))
    showMessage(isOn ? `New projects get ${name}` : `New projects do not get ${name}; those that have it keep it`);
  else takeBack();
  await reload(path);
}

async function move(environments: readonly ListedEnvironment[], index: number, by: -1 | 1): Promise<void> {
  const names = environments.map(({ name }) => name);
  const [name = ''] = names.splice(index, 1);
  names.splice(index + by, 0, name);
  const order = Object.fromEntries(names.map((each, position) => [each, position + 1]));
  await tryTo(() => updateSortOrder({}, { body: order }));
  await reload(path);
}
