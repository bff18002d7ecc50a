import './flags.css';
import type { JSX } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { ConsoleFlags, ListedFlag } from '../../screens/flags-schema.ts';
import { setQuery } from '../browser/router.ts';
import { addFavoriteFeature, type getConsoleFlags, removeFavoriteFeature } from '../calls/flags.ts';
import { patch } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { typeIcons } from '../parts/flag-icons.ts';
import { Icon } from '../parts/icon.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { useRowKeys } from '../parts/row-keys.ts';
import { Avatar, Tag } from '../parts/small.tsx';
import { Empty } from '../parts/states.tsx';
import { projectNameOf, useStart } from '../reader/start.ts';
import { describeProgress, typeNames } from '../words/flags.ts';
import { percent, shortCount } from '../words/numbers.ts';
import { describeAge } from '../words/times.ts';
import { BulkBar } from './bulk-bar.tsx';

interface TableProps {
  readonly list: ConsoleFlags;
  readonly flags: readonly ListedFlag[];
  readonly path: ReturnType<typeof getConsoleFlags>;
  readonly project: string | undefined;
  /** The reason why the reader cannot create a flag. */
  readonly reasonAgainstCreation: string | undefined;
}

/** Flags as a table: where each is on, and for how many. Selected ones are changed together. */
export function FlagTable({ list, flags, path, project: only, reasonAgainstCreation }: TableProps): JSX.Element {
  const { value: start } = useStart();
  const { count, end } = useMoreRows(flags.length);
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  // A flag that the filters hide is not changed by mistake.
  const selected = flags.filter(({ name }) => names.has(name));
  // A phone shows the boxes once they are asked for.
  const [isSelecting, setSelecting] = useState(false);
  const toggle = useCallback((name: string) => {
    setNames((before) => {
      const others = [...before].filter((each) => each !== name);
      return new Set(before.has(name) ? others : [...others, name]);
    });
  }, []);
  useRowKeys({
    onSelect: toggle,
    onStar: (name) => {
      const flag = flags.find((each) => each.name === name);
      if (flag !== undefined) void star(flag, path);
    },
  });
  if (flags.length === 0) {
    return (
      <div class="card">
        {list.flags.length === 0 ? (
          <Empty
            icon="flag"
            title="There is no flag yet"
            action={
              <Button icon="plus" reason={reasonAgainstCreation} onClick={() => setQuery({ create: 'true' })}>
                New flag
              </Button>
            }
          >
            A flag switches a part of an application on for some users, without a deployment.
          </Empty>
        ) : (
          <Empty
            icon="search"
            title="No flag matches"
            action={
              <Button onClick={() => setQuery({ q: undefined, show: undefined, type: undefined, tag: undefined })}>
                Clear the filters
              </Button>
            }
          >
            Try another word, or fewer filters.
          </Empty>
        )}
      </div>
    );
  }
  const groups = [...Map.groupBy(flags.slice(0, count), ({ project }) => project)];
  const isPicking = isSelecting || selected.length > 0;
  return (
    <>
      <div class="card flags-card">
        <table class={isPicking ? 'flags selecting' : 'flags'}>
          <thead>
            <tr>
              <th class="flags-select">
                <label class="flags-check">
                  <input
                    type="checkbox"
                    aria-label="Select all flags"
                    checked={selected.length === flags.length}
                    onChange={() =>
                      setNames(new Set(selected.length === flags.length ? [] : flags.map(({ name }) => name)))
                    }
                  />
                </label>
              </th>
              <th class="flags-star">
                <span class="hidden">Star</span>
              </th>
              <th>
                <span class="flags-head">
                  Flag
                  <button
                    type="button"
                    class="flags-pick"
                    onClick={() => {
                      setSelecting(!isPicking);
                      setNames(new Set());
                    }}
                  >
                    {isPicking ? 'Done' : 'Select'}
                  </button>
                </span>
              </th>
              {list.environments.map(({ name, type }) => (
                <th key={name} class={type === 'production' ? 'flags-env production' : 'flags-env'}>
                  <span class="flags-env-name">{name}</span>
                  {type === 'production' && <span class="flags-use-head"> Last hour</span>}
                </th>
              ))}
              <th class="flags-owner">Owner</th>
            </tr>
          </thead>
          {groups.map(([project, rows]) => (
            <tbody key={project}>
              {only === undefined && (
                <tr class="flags-group">
                  <th colSpan={list.environments.length + 4} scope="rowgroup">
                    <a href={`/projects/${project}`}>{projectNameOf(start, project)}</a>{' '}
                    <span class="muted">{flags.filter((flag) => flag.project === project).length}</span>
                  </th>
                </tr>
              )}
              {rows.map((flag) => (
                <Row
                  key={flag.name}
                  flag={flag}
                  list={list}
                  path={path}
                  isSelected={names.has(flag.name)}
                  onSelect={toggle}
                />
              ))}
            </tbody>
          ))}
        </table>
        <div ref={end} />
      </div>
      {selected.length > 0 && (
        <BulkBar flags={selected} environments={list.environments} path={path} onClear={() => setNames(new Set())} />
      )}
    </>
  );
}

interface RowProps {
  readonly flag: ListedFlag;
  readonly list: ConsoleFlags;
  readonly path: ReturnType<typeof getConsoleFlags>;
  readonly isSelected: boolean;
  readonly onSelect: (name: string) => void;
}

/** Draws a row only when it has changed: somebody types in the search above a hundred of them. */
function Row({ flag, list, path, isSelected, onSelect }: RowProps): JSX.Element {
  const props = [flag, list, path, isSelected, onSelect];
  return useMemo(
    () => <Cells flag={flag} list={list} path={path} isSelected={isSelected} onSelect={onSelect} />,
    props,
  );
}

function Cells({ flag, list, path, isSelected, onSelect }: RowProps): JSX.Element {
  const { name, project, type, description, tags, stale, favorite, owner } = flag;
  const pending = flag.environments.flatMap(({ requests = [] }) => requests);
  return (
    <tr data-row={name} class={isSelected ? 'selected' : ''}>
      <td class="flags-select">
        <label class="flags-check">
          <input type="checkbox" aria-label={`Select ${name}`} checked={isSelected} onChange={() => onSelect(name)} />
        </label>
      </td>
      <td class="flags-star">
        <button
          type="button"
          class={favorite ? 'star on' : 'star'}
          aria-pressed={favorite}
          aria-label={`Star ${name}`}
          onClick={() => star(flag, path)}
        >
          <Icon name="star" />
        </button>
      </td>
      <td class="flags-name">
        <div class="flags-title">
          <a class="mono" data-open href={`/projects/${project}/features/${name}`}>
            <Icon name={typeIcons[type] ?? 'flag'} label={typeNames[type] ?? type} />
            {name}
          </a>
          {stale && <Tag tone="warn">Stale</Tag>}
          {tags.slice(0, 2).map((tag) => (
            <span key={tag} class="flags-tag">
              <Tag>{tag}</Tag>
            </span>
          ))}
          {pending[0] !== undefined && (
            <a class="flags-pending" href={`/projects/${project}/change-requests/${pending[0]}`}>
              <Icon name="git-pull-request" size={13} />
              Change pending
            </a>
          )}
        </div>
        {description !== null && <p>{description}</p>}
      </td>
      {list.environments.map(({ name: environment, type: environmentType }) => (
        <td key={environment} class={environmentType === 'production' ? 'flags-env production' : 'flags-env'}>
          <State
            state={flag.environments.find((each) => each.name === environment)}
            isProduction={environmentType === 'production'}
          />
        </td>
      ))}
      <td class="flags-owner">
        <Avatar name={owner.name} /> {owner.name}
      </td>
    </tr>
  );
}

interface StateProps {
  readonly state: ListedFlag['environments'][number] | undefined;
  readonly isProduction: boolean;
}

/** A flag in an environment, and in production the share of answers that were on. It has few nodes: a list has hundreds of them. */
function State({ state, isProduction }: StateProps): JSX.Element {
  if (state === undefined) return <span class="muted">–</span>;
  const { enabled, yes = 0, no = 0, lastSeenAt } = state;
  const plan = describeProgress(state);
  const calls = yes + no;
  return (
    <span class={enabled ? 'state on' : 'state'}>
      <i aria-hidden="true" />
      {enabled ? 'On' : 'Off'}
      {isProduction && calls > 0 && (
        <small>
          <i class="flags-share" aria-hidden="true" style={{ '--share': `${(yes / calls) * 100}%` }} />
          <b>{percent(yes, calls)}</b> of {shortCount(calls)}
        </small>
      )}
      {isProduction && calls === 0 && lastSeenAt !== null && <small>asked {describeAge(lastSeenAt)}</small>}
      {plan !== undefined && <small class="clip flags-plan">{plan}</small>}
    </span>
  );
}

async function star(flag: ListedFlag, path: ReturnType<typeof getConsoleFlags>): Promise<void> {
  const isStarred = !flag.favorite;
  const takeBack = patch(path, (value) => ({
    ...value,
    flags: value.flags.map((each) => (each === flag ? { ...each, favorite: isStarred } : each)),
  }));
  const values = { projectId: flag.project, featureName: flag.name };
  if (!(await attempt(() => (isStarred ? addFavoriteFeature(values) : removeFavoriteFeature(values))))) takeBack();
}
