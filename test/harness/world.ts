import { createEdgeClient } from '../../lib/delivery/edge/edge-clients.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { makeSecret, type SdkTokenKind, type TokenScope } from '../../lib/identity/tokens/token.ts';
import { buildToken, buildTokenCreation } from '../../lib/identity/tokens/tokens.ts';
import { newUser, type User, users } from '../../lib/identity/users.ts';
import { readSeed } from '../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../lib/imports/seed/seed-store.ts';
import { ensureUser, type UserRequest, withRoles } from '../../lib/people/ensure-user.ts';
import { replaceScimToken, switchScim } from '../../lib/people/scim-settings.ts';
import type { Request } from '../../lib/request.ts';
import * as keys from '../../lib/store/keys.ts';
import { raiseCounter, transact } from '../../lib/store/transactions/transact.ts';
import { keepsClientSecrets } from '../../lib/tokens/readable-secrets.ts';
import { announceApplications } from '../../lib/usage/applications/applications.ts';
import { recordApplication } from '../../lib/usage/applications/record-application.ts';
import { UsageBuffer } from '../../lib/usage/usage-buffer.ts';
import type { SigningEdge } from './edge-signature.ts';
import type { GatewayRequest, Reply } from './gateway.ts';
import { importOf, importPath } from './import-file.ts';
import { givePassword, giveSession, knownPassword } from './sign-in.ts';

/** A service that can be called: that of a test, or that of a proof. */
export interface Callable {
  readonly table: Request;
  /** Calls as an administrator, unless the headers carry another token. */
  call(method: string, target: string, options?: Pick<GatewayRequest, 'headers' | 'body'>): Promise<Reply>;
}

export interface FeatureOptions {
  readonly project?: string | undefined;
  /** The environment in which it has its state, its strategies and its variants. */
  readonly environment?: string;
  readonly on?: boolean;
  readonly archived?: boolean;
  readonly description?: string;
  /** A feature that is on and has none receives one by default. */
  readonly strategies?: readonly object[];
  readonly variants?: readonly object[];
  readonly tags?: readonly { readonly type: string; readonly value: string }[];
  /** Names of the features that it depends on. */
  readonly parents?: readonly string[];
  readonly link?: { readonly url: string; readonly title: string };
}

export interface ProjectOptions {
  readonly environments?: readonly string[];
}

export interface MadeFeature {
  readonly name: string;
  /** The variables of a path that leads to it. */
  readonly place: { readonly projectId: string; readonly featureName: string; readonly environment: string };
}

/**
 * Makes the things that a request is about, each under a name that nothing else in this world has, so that many
 * requests share a table. The names are the same in every new world: `feature-1`, `feature-2`, `segment-1`. A second
 * world on the same store would use the names of the first.
 */
export class World {
  /** The project and the environment in which everything is made, unless another one is named. */
  readonly home = { projectId: 'default', environment: 'development' } as const;
  readonly service: Callable;
  readonly #counts = new Map<string, number>();
  #delivered: Promise<MadeFeature> | undefined;
  readonly #shared = new Map<string, Promise<unknown>>();
  readonly #sdkTokens = new Map<SdkTokenKind, Promise<string>>();
  #directory: Promise<{ readonly authorization: string }> | undefined;
  /** Milliseconds since 1970. */
  #last = 0;

  constructor(service: Callable) {
    this.service = service;
  }

  /** Begins anew: its service is on another store, where nothing is made yet. */
  begin(): void {
    for (const made of [this.#counts, this.#shared, this.#sdkTokens]) made.clear();
    this.#delivered = undefined;
  }

  /** A name that nothing has yet, of a letter, a dash and a number at the end. */
  name(kind: string): string {
    return `${kind}-${this.#next(kind)}`;
  }

  /** An id that nothing has yet, for what the API cannot create. */
  id(kind: string): number {
    return 1_000 + this.#next(`id of ${kind}`);
  }

  /** Returns a thing that requests only refer to: it is made once, and is the same for each call with this name. */
  shared<T>(what: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#shared.get(what) as Promise<T> | undefined) ?? make();
    this.#shared.set(what, made);
    return made;
  }

  async feature(options: FeatureOptions = {}): Promise<MadeFeature> {
    const [feature] = await this.features(1, options);
    return feature as MadeFeature;
  }

  /** Many features, all alike. */
  async features(count: number, options: FeatureOptions = {}): Promise<MadeFeature[]> {
    const names = Array.from({ length: count }, () => this.name('feature'));
    return this.#import(names, options);
  }

  /** Many features, all alike; returns their names. */
  async featureNames(count: number, options: FeatureOptions = {}): Promise<string[]> {
    return (await this.features(count, options)).map(({ name }) => name);
  }

  /** A feature that is on, the same for each call: SDKs hear of a new one within 1.2 seconds only. */
  deliveredFeature(): Promise<MadeFeature> {
    this.#delivered ??= this.feature({ on: true });
    return this.#delivered;
  }

  /** Adds a strategy to a feature; returns its id. */
  async strategy({ place }: MadeFeature, strategy: object = { name: 'default' }): Promise<string> {
    const { projectId, featureName, environment } = place;
    const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/strategies`;
    return (await this.ask('POST', path, strategy)).body.id;
  }

  /** A feature with a strategy: the variables of a path that leads to it. */
  async strategyPlace(options: FeatureOptions = {}): Promise<MadeFeature['place'] & { readonly strategyId: string }> {
    const feature = await this.feature(options);
    return { ...feature.place, strategyId: await this.strategy(feature) };
  }

  /** A feature with a link: the variables of a path that leads to it. */
  async link(): Promise<MadeFeature['place'] & { readonly linkId: string }> {
    const { place } = await this.feature({ link: { url: 'https://example.com/7', title: 'Seven' } });
    const { body } = await this.ask('PUT', `/api/admin/projects/${place.projectId}/features/${place.featureName}`, {});
    return { ...place, linkId: body.links[0].id };
  }

  /** A project with the environments, `development` by default; returns its id. */
  async project(options: ProjectOptions = {}): Promise<string> {
    const [id] = await this.projects(1, options);
    return id as string;
  }

  /** A project with a feature: the variables of a path that leads to it. */
  async projectWithFeature(options: FeatureOptions = {}): Promise<{ readonly projectId: string }> {
    const projectId = await this.project();
    await this.feature({ ...options, project: projectId });
    return { projectId };
  }

  /** Many projects, all alike; returns their ids. */
  async projects(count: number, { environments = [this.home.environment] }: ProjectOptions = {}): Promise<string[]> {
    const ids = Array.from({ length: count }, () => this.name('project'));
    await this.#seed({ projects: ids.map((id) => ({ id, environments })) });
    return ids;
  }

  /** An environment that is in no project; returns its name. */
  async environment(): Promise<string> {
    const name = this.name('environment');
    await this.#seed({ environments: [{ name }] });
    return name;
  }

  async segment(more: object = {}): Promise<{ id: number; name: string }> {
    const name = this.name('segment');
    const { body } = await this.ask('POST', '/api/admin/segments', { name, constraints: [], ...more });
    return { id: body.id, name };
  }

  /** A context field of a project, which is the same for all: the variables of a path that leads to it. */
  async projectContextField(more: object = {}): Promise<{ projectId: string; contextField: string }> {
    const projectId = await this.shared('project of context fields', () => this.project());
    const name = this.name('field');
    await this.ask('POST', `/api/admin/projects/${projectId}/context`, { name, ...more });
    return { projectId, contextField: name };
  }

  async contextField(more: object = {}): Promise<string> {
    const name = this.name('field');
    await this.#seed({ contextFields: [{ name, ...more }] });
    return name;
  }

  /** The name of a context field that the first strategy of a feature compares. */
  async comparedField(strategy: object = {}): Promise<string> {
    const name = await this.contextField();
    const constraints = [{ contextName: name, operator: 'IN', values: ['CH'] }];
    await this.feature({ strategies: [{ name: 'default', ...strategy, constraints }, { name: 'default' }] });
    return name;
  }

  async tagType(more: object = {}): Promise<string> {
    const name = this.name('tag-type');
    await this.#seed({ tagTypes: [{ name, ...more }] });
    return name;
  }

  async strategyType(more: object = {}): Promise<string> {
    const name = this.name('strategy-type');
    await this.#seed({ strategies: [{ name, ...more }] });
    return name;
  }

  async addon(more: object = {}): Promise<number> {
    const id = this.id('addon');
    await this.#seed({
      addons: [{ id, provider: 'webhook', parameters: { url: 'https://chat.example.com' }, ...more }],
    });
    return id;
  }

  /** An application that has reported; returns its name. */
  async application(projects: readonly string[] = ['*']): Promise<string> {
    const appName = this.name('app');
    // A process that serves requests writes down what has reported once a minute; a memory of its own does so at once.
    const memory = new UsageBuffer(this.service.table.store);
    const scope = { projects, environment: this.home.environment };
    const reporter = { scope, address: '127.0.0.1', sdkType: 'backend' } as const;
    const registration = { appName, strategies: ['default'] };
    await recordApplication(this.service.table, memory, { reporter, registration, now: new Date() });
    await announceApplications(this.service.table, [appName]);
    await memory.flushIfDue(this.service.table);
    return appName;
  }

  /** A user; without a role a Viewer. */
  async user(roles: Omit<UserRequest, 'username'> = {}): Promise<{ id: number; username: string }> {
    const username = this.name('user');
    const { id } = await ensureUser(this.service.table, { username, ...roles });
    return { id, username };
  }

  /** A user who can sign in with the password. */
  async person(roles: Omit<UserRequest, 'username'> = {}): Promise<{ id: number; username: string; password: string }> {
    const user = await this.user(roles);
    await givePassword(this.service.table, user.id);
    return { ...user, password: knownPassword };
  }

  /** The cookie of a new session of a new user. */
  async session(roles: Omit<UserRequest, 'username'> = {}): Promise<string> {
    const { id } = await this.user(roles);
    return giveSession(this.service.table, id);
  }

  /** A role of the team's own; `custom`, for projects, unless it says another type. Returns its id. */
  async role(more: object = {}): Promise<number> {
    const { body } = await this.ask('POST', '/api/admin/roles', { name: this.name('role'), ...more });
    return body.roles.id;
  }

  /** Gives a user or a group so many roles of the team's own in a project, as many at a time as a request takes. */
  async giveOwnRoles(kind: 'users' | 'groups', id: number, count: number): Promise<void> {
    const path = `/api/admin/projects/${await this.project()}/${kind}/${id}/roles`;
    const roles: number[] = [];
    while (roles.length < count) {
      roles.push(await this.role());
      if (roles.length % 20 === 0 || roles.length === count) await this.ask('PUT', path, { roles });
    }
  }

  /** A service account; without a role a Viewer. */
  async serviceAccount(more: object = {}): Promise<{ id: number; username: string }> {
    const body = { username: this.name('service'), name: 'A service', rootRole: 3, ...more };
    return (await this.ask('POST', '/api/admin/service-account', body)).body;
  }

  /** A token of a service account. */
  async serviceAccountToken(id: number): Promise<{ id: number; secret: string }> {
    const body = { description: this.name('token'), expiresAt: '2099-01-01T00:00:00.000Z' };
    return (await this.ask('POST', `/api/admin/service-account/${id}/token`, body)).body;
  }

  /** A personal access token of a user or a service account. */
  async pat(owner: { readonly id: number; readonly username: string }): Promise<{ id: number; secret: string }> {
    const { table } = this.service;
    const number = await raiseCounter(table, keys.counter('personal-token'), 1);
    const secret = makeSecret('user');
    const description = this.name('token');
    const request = { kind: 'user', user: owner, description, number, expiresAt: new Date('2099-01-01') } as const;
    await transact(table, buildTokenCreation(buildToken(secret, request, this.#moment())).writes, undefined);
    return { id: number, secret };
  }

  /** A group of no member, unless it has some; returns its id. */
  async groupId(more: object = {}): Promise<number> {
    const { body } = await this.ask('POST', '/api/admin/groups', { name: this.name('group'), ...more });
    return body.id;
  }

  /** The secret of an invitation. */
  async invitation(): Promise<string> {
    const body = { name: this.name('invitation'), expiresAt: '2126-01-01T00:00:00Z' };
    return (await this.ask('POST', '/api/admin/invite-link/tokens', body)).body.secret;
  }

  /** The secret of a new token of a new user. */
  token(roles: Omit<UserRequest, 'username'> = {}): Promise<string> {
    return this.#tokenOfNew((user, at) => withRoles(user, roles, at));
  }

  /** Gives a user many tokens. */
  async tokens(user: { readonly id: number; readonly username: string }, count: number): Promise<void> {
    const at = new Date().toISOString();
    const made = Array.from({ length: count }, () => buildToken(makeSecret('user'), { kind: 'user', user }, at));
    const writes = made.flatMap((token) => buildTokenCreation(token).writes);
    await transact(this.service.table, writes, undefined);
  }

  /** The secret of a new token of a new user who has these roles, in projects as well. */
  tokenOfRole(
    rootRole: number,
    inProjects: readonly { readonly project: string; readonly roles: readonly number[] }[] = [],
  ): Promise<string> {
    return this.#tokenOfNew((user, at) => {
      return { ...user, rootRole, projectRoles: inProjects.map((each) => ({ ...each, addedAt: at })) };
    });
  }

  /** The ids of the groups of which a user knows that they are a member: what their rights follow from. */
  async groupsOf(user: number): Promise<readonly number[]> {
    return (await users.load(this.service.table, user)).value.groups;
  }

  /** As `token`, one that the service has seen already: it looks neither it nor its user up. */
  async knownToken(roles: Omit<UserRequest, 'username'> = {}): Promise<string> {
    const authorization = await this.token(roles);
    await this.ask('GET', '/api/admin/user', undefined, { authorization });
    return authorization;
  }

  /**
   * The secret of a new token of a server's SDK; for all projects, and the environment of home, unless `scope` says so.
   */
  clientToken(scope: Partial<TokenScope> = {}): Promise<string> {
    return this.#sdkToken('client', scope);
  }

  /**
   * The secret of a new token of an SDK in a page; for all projects, and the environment of home, unless `scope` says
   * so.
   */
  frontendToken(scope: Partial<TokenScope> = {}): Promise<string> {
    return this.#sdkToken('frontend', scope);
  }

  /** An Edge that can sign requests. */
  async edgeClient(): Promise<SigningEdge> {
    return createEdgeClient(this.service.table, this.name('edge'));
  }

  /** The headers with which a directory manages people, the same for each call. */
  directory(): Promise<{ readonly authorization: string }> {
    this.#directory ??= this.#newDirectory();
    return this.#directory;
  }

  async #newDirectory() {
    const { table } = this.service;
    await switchScim(table, systemUser, true);
    return { authorization: `Bearer ${(await replaceScimToken(table, systemUser)).value}` };
  }

  /** The secret of a token for all projects, the same for each call: what a request of an SDK has that names none. */
  sdkToken(kind: SdkTokenKind): Promise<string> {
    const token = this.#sdkTokens.get(kind) ?? this.#sdkToken(kind);
    this.#sdkTokens.set(kind, token);
    return token;
  }

  /** Makes a call that must succeed. */
  async ask(
    method: string,
    target: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const answer = await this.service.call(method, target, { headers, ...(body !== undefined && { body }) });
    if (answer.status >= 400) throw new Error(`${method} ${target} was answered ${answer.status}: ${answer.text}`);
    return answer;
  }

  async #tokenOfNew(withTheirRoles: (user: User, at: string) => User): Promise<string> {
    const { table } = this.service;
    const at = new Date().toISOString();
    const user = withTheirRoles(newUser(await raiseCounter(table, keys.counter('user'), 1), this.name('user'), at), at);
    const secret = makeSecret('user');
    const token = buildToken(secret, { kind: 'user', user }, at);
    await transact(
      table,
      [...users.buildCreationEffects(user, at).writes, ...buildTokenCreation(token).writes],
      undefined,
    );
    return secret;
  }

  async #sdkToken(kind: SdkTokenKind, scope: Partial<TokenScope> = {}): Promise<string> {
    const { projects = ['*'], environment = this.home.environment } = scope;
    const isReadable = kind === 'frontend' || keepsClientSecrets();
    const request = { kind, name: this.name(`${kind}-token`), projects, environment, isReadable };
    const secret = makeSecret(request);
    const token = buildToken(secret, request, this.#moment());
    await transact(this.service.table, buildTokenCreation(token).writes, undefined);
    return secret;
  }

  async #import(names: readonly string[], options: FeatureOptions): Promise<MadeFeature[]> {
    const { project = this.home.projectId, environment = this.home.environment, on = false, ...parts } = options;
    const features = names.map((name) => ({ ...parts, name, enabled: on }));
    await this.ask('POST', importPath, importOf(features, { project, environment }));
    return names.map((name) => ({ name, place: { projectId: project, featureName: name, environment } }));
  }

  async #seed(data: object): Promise<void> {
    await seedStore(this.service.table, readSeed(data));
  }

  /** A time that nothing else has: lists by age would have two of one millisecond in any order. */
  #moment(): string {
    this.#last = 1 + Math.max(this.#last, Date.now());
    return new Date(this.#last).toISOString();
  }

  #next(kind: string): number {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return count;
  }
}
