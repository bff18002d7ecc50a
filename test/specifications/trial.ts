import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Declaration, type Endpoint, isMutation } from '../../lib/http/declaration.ts';
import { eventsAddedTo, type StoredEvent } from '../harness/items.ts';
import { type CallOptions, freshService, type Reply, type Service } from '../harness/service.ts';
import { stoppedClock } from '../harness/stopped-clock.ts';
import { recordStoreRequests, type StoreRequestRecord } from '../harness/store-requests.ts';
import { World } from '../harness/world.ts';
import { type Example, exampleOf, targetOf } from './example.ts';
import { carryOutEvent, endpointOf, eventOf } from './generated/event.ts';
import { type NamedSpecification, type SpecifiedRole, sdkKindsOf } from './specification.ts';

type Changes = Omit<CallOptions, 'body'> & {
  /** In place of that of the example; undefined for none. */
  readonly body?: unknown;
  readonly target?: string;
  readonly method?: string;
};

/** The first request of a trial, on a store of which its process knows nothing but the token. */
interface FirstRequest {
  readonly example: Example;
  readonly event: APIGatewayProxyEventV2;
  readonly reply: Reply;
  readonly storeRequests: readonly StoreRequestRecord[];
  readonly events: readonly StoredEvent[];
}

/** A request that has been carried out. */
interface CarriedOut {
  readonly example: Example;
  readonly first: Reply;
}

/** A request that has been carried out under an idempotency key, and was sent again under the same one. */
interface Keyed extends CarriedOut {
  readonly headers: { readonly 'idempotency-key': string };
  readonly second: Reply;
  /** Requests of the second one to the store. */
  readonly storeRequests: readonly StoreRequestRecord[];
}

/** An endpoint on trial: its specification, and a service of its own to hold the endpoint against it. */
export class Trial {
  readonly specification: NamedSpecification;
  readonly #tokens = new Map<string, string>();
  #service: Service | undefined;
  #world: World | undefined;
  #otherProject: Promise<string> | undefined;
  #first: FirstRequest | undefined;
  #idleExample: Promise<Example> | undefined;
  #keyed: Promise<Keyed> | undefined;

  constructor(specification: NamedSpecification) {
    this.specification = specification;
  }

  /** @throws Error where the registry does not have it. */
  get endpoint(): Endpoint {
    return endpointOf(this.specification.operationId);
  }

  get declaration(): Declaration {
    return this.endpoint.declaration;
  }

  get service(): Service {
    if (this.#service === undefined) throw new Error('The trial has not been opened.');
    return this.#service;
  }

  get world(): World {
    if (this.#world === undefined) throw new Error('The trial has not been opened.');
    return this.#world;
  }

  async open(): Promise<void> {
    this.#service = await freshService();
    this.#world = new World(this.#service);
    this.#first = await this.#carryOutFirst();
  }

  /** The request that opened the trial: of the first example that its world has made, by the event in the file. */
  get first(): FirstRequest {
    if (this.#first === undefined) throw new Error('The trial has not been opened.');
    return this.#first;
  }

  async #carryOutFirst(): Promise<FirstRequest> {
    const example = await exampleOf(this.specification, this.world);
    using _ = stoppedClock();
    // From here on its token is known: on an unknown path, nothing else is.
    await this.service.get('/api/admin/missing', { token: example.headers.authorization ?? this.service.adminToken });
    const event = eventOf(this.specification, example);
    const replies: Reply[] = [];
    const { table, adminToken } = this.service;
    const storeRequests: StoreRequestRecord[] = [];
    const carryOut = async () => replies.push(await carryOutEvent(this.specification, event, adminToken));
    const events = await eventsAddedTo(table, async () => {
      storeRequests.push(...(await recordStoreRequests(table, carryOut)));
    });
    return { example, event, reply: replies[0] as Reply, storeRequests, events };
  }

  /** Handlers that are called by hand find their table by the environment, which other tests have set for theirs. */
  enter(): void {
    process.env.TABLE_NAME = this.service.table.store.name;
  }

  /** An example of which nothing has been carried out yet; for a read the same each time, since it leaves all as it is. */
  async example(): Promise<Example> {
    return this.#isRead ? this.first.example : exampleOf(this.specification, this.world);
  }

  /** An example for requests that are refused and do nothing, the same for each call. */
  idleExample(): Promise<Example> {
    this.#idleExample ??= this.example();
    return this.#idleExample;
  }

  /** An example for requests that succeed, the same for each call where it succeeds as often as it is sent. */
  async repeatableExample(): Promise<Example> {
    return typeof this.specification.again === 'number' ? this.example() : this.first.example;
  }

  /** A new example that has been carried out. */
  async carriedOut(): Promise<CarriedOut> {
    const example = await this.example();
    return { example, first: await this.send(example) };
  }

  /** A new example that has been carried out under a key, the same for each call. */
  keyed(): Promise<Keyed> {
    this.#keyed ??= this.#sendTwice();
    return this.#keyed;
  }

  async #sendTwice(): Promise<Keyed> {
    const example = await this.example();
    const headers = { 'idempotency-key': randomUUID() };
    // While no second passes, nobody is looked up again.
    using _ = stoppedClock();
    const replies = [await this.send(example, { headers })];
    const storeRequests = await recordStoreRequests(this.service.table, async () => {
      replies.push(await this.send(example, { headers }));
    });
    return { example, headers, first: replies[0] as Reply, second: replies[1] as Reply, storeRequests };
  }

  get #isRead(): boolean {
    return !isMutation(this.declaration) && typeof this.specification.again !== 'number';
  }

  /** Sends an example, with changes. */
  send(example: Example, changes: Changes = {}): Promise<Reply> {
    const { method, target, body, headers } = { ...example, ...changes };
    const { authorization = this.service.adminToken, ...others } = { ...example.headers, ...headers };
    const { token = authorization } = changes;
    return this.service.call(method, target, { body, headers: others, token });
  }

  /** A token that may do everything that the operation takes tokens for. */
  async validToken(): Promise<string> {
    const [kind] = sdkKindsOf(this.specification);
    return kind === undefined ? this.service.adminToken : this.world.sdkToken(kind);
  }

  /** Sends an example with other values in some variables of its path, which must be encoded already. */
  sendTo(example: Example, encoded: Readonly<Record<string, string>>, changes: Changes = {}): Promise<Reply> {
    return this.send(example, { ...changes, target: targetOf(this.specification.route, example.specified, encoded) });
  }

  /** A token of somebody with a role; that of an Owner or a Member holds in the project. */
  async tokenOf(role: SpecifiedRole, project: string = this.world.home.projectId): Promise<string> {
    const isProjectRole = role === 'Owner' || role === 'Member';
    const key = isProjectRole ? `${role} of ${project}` : role;
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const token = await this.world.token(isProjectRole ? { inProject: { project, role } } : { rootRole: role });
    this.#tokens.set(key, token);
    return token;
  }

  /** A project that no example is about. */
  otherProject(): Promise<string> {
    this.#otherProject ??= this.world.project();
    return this.#otherProject;
  }

  /** Counts the transactions that an action sends to the store. */
  async transactionsOf(action: () => Promise<unknown>): Promise<number> {
    const requests = await recordStoreRequests(this.service.table, action);
    return requests.filter(({ command }) => command === 'TransactWrite').length;
  }
}
