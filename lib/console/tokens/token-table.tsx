import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EventSearchResult } from '../../events/event-search-schema.ts';
import type { ApiToken } from '../../tokens/api-token-schema.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Ago, Tag } from '../parts/small.tsx';
import { Table } from '../parts/table.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { findMaker, findTokenProblem, isForever, isUseRecorded, startOfToken, tokenKinds } from './describe-token.ts';
import { ExpiryDialog } from './expiry-dialog.tsx';
import { RemoveTokenDialog } from './remove-token-dialog.tsx';

interface TokenTableProps {
  readonly tokens: readonly ApiToken[];
  /** The events of the creation of tokens; empty for a list without makers. */
  readonly creations: readonly EventSearchResult[];
  readonly onChanged: () => void;
  /** The project of the list; undefined for all. */
  readonly project?: string;
}

/** Tokens with their use: those that nothing uses and those that have expired are marked. */
export function TokenTable({ tokens, creations, onChanged, project }: TokenTableProps): JSX.Element {
  const { count, end } = useMoreRows(tokens.length);
  const [asked, setAsked] = useState<{ readonly token: ApiToken; readonly act: 'expiry' | 'remove' }>();
  return (
    <div class="card table-card">
      <Table
        columns={[
          'Token',
          'Kind',
          'Environment',
          'Projects',
          ...(project === undefined ? ['Made by'] : []),
          'Last seen',
          'Expires',
        ]}
        acts="Change"
      >
        {tokens.slice(0, count).map((token) => (
          <Row
            key={token.secret}
            token={token}
            maker={project === undefined ? (findMaker(token, creations) ?? '') : undefined}
            project={project}
            onAsk={(act) => setAsked({ token, act })}
          />
        ))}
      </Table>
      <div ref={end} />
      {asked?.act === 'expiry' && (
        <ExpiryDialog token={asked.token} onChanged={onChanged} onClose={() => setAsked(undefined)} />
      )}
      {asked?.act === 'remove' && (
        <RemoveTokenDialog
          token={asked.token}
          project={project}
          onRemoved={onChanged}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

interface RowProps {
  readonly token: ApiToken;
  readonly maker: string | undefined;
  readonly project: string | undefined;
  readonly onAsk: (act: 'expiry' | 'remove') => void;
}

function Row({ token, maker, project, onAsk }: RowProps): JSX.Element {
  const { value: start } = useStart();
  const { tokenName, type, environment, projects, expiresAt, secret } = token;
  const state = findTokenProblem(token);
  return (
    <tr>
      <th scope="row">
        {tokenName}
        <p class="mono">{startOfToken(secret)}</p>
      </th>
      <td data-label="Kind">{tokenKinds[type]}</td>
      <td data-label="Environment">{environment === '*' ? 'All' : environment}</td>
      <td data-label="Projects">{projects.includes('*') ? 'All' : projects.join(', ')}</td>
      {maker !== undefined && <td data-label="Made by">{maker}</td>}
      <td data-label="Last seen">
        <span>
          <LastSeen token={token} />
          {state === 'unused' && (
            <>
              {' '}
              <Tag tone="warn">Unused</Tag>
            </>
          )}
        </span>
      </td>
      <td data-label="Expires">
        {expiresAt === null || isForever(expiresAt) ? (
          'Never'
        ) : (
          <span>
            {state === 'expired' && <Tag tone="bad">Expired</Tag>} <Ago time={expiresAt} />
          </span>
        )}
      </td>
      <td class="actions">
        <Button
          kind="quiet"
          aria-label={`Change the expiry of ${tokenName}`}
          reason={mayChange(start, type) ? undefined : 'You may not change this token'}
          onClick={() => onAsk('expiry')}
        >
          <Icon name="calendar-clock" />
        </Button>
        <Button
          kind="quiet"
          aria-label={`Remove ${tokenName}`}
          reason={mayRemove(start, token, project) ? undefined : 'You may not remove this token'}
          onClick={() => onAsk('remove')}
        >
          <Icon name="trash" />
        </Button>
      </td>
    </tr>
  );
}

function LastSeen({ token }: { readonly token: ApiToken }): JSX.Element {
  if (!isUseRecorded(token)) return <>–</>;
  return token.seenAt === null ? <>Never</> : <Ago time={token.seenAt} />;
}

function mayRemove(start: Parameters<typeof mayIn>[0], { type }: ApiToken, project: string | undefined): boolean {
  if (type === 'admin') return mayIn(start, 'ADMIN');
  const permission = type === 'frontend' ? 'DELETE_FRONTEND_API_TOKEN' : 'DELETE_CLIENT_API_TOKEN';
  return mayIn(start, permission) || (project !== undefined && mayIn(start, 'DELETE_PROJECT_API_TOKEN', project));
}

function mayChange(start: Parameters<typeof mayIn>[0], type: ApiToken['type']): boolean {
  if (type === 'admin') return mayIn(start, 'ADMIN');
  return mayIn(start, type === 'frontend' ? 'UPDATE_FRONTEND_API_TOKEN' : 'UPDATE_CLIENT_API_TOKEN');
}
