import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../../harness/http-call.ts';

/** A person in the simulated directory. */
export interface DirectoryPerson {
  readonly userName: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly active: boolean;
}

/** A group in the simulated directory, with the user names of its members. */
export interface DirectoryGroup {
  readonly displayName: string;
  readonly externalId: string;
  readonly members: readonly string[];
}

/** An answer of the service; the body of one without content is empty. */
export interface ScimAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the proof judges what it finds
  readonly body: any;
}

/** Members that the dialect of Entra ID adds with one PATCH. */
const membersAtOnce = 100;
const retryMs = 100;
const patienceMs = 120_000;
/** Answers after which a directory tries again. */
const passing: readonly number[] = [429, 503];

/**
 * A directory that provisions people and groups as Okta and Entra ID do: it looks each up, and creates or changes it. Where the service
 * goes away, it begins with the same person or group again, and does not know whether its last request was carried out.
 */
export class Provider {
  readonly #serverOf: () => Address;
  readonly #ids = new Map<string, string>();
  /** The requests that were answered. */
  requests = 0;
  /** The requests that were cut off, or came while the service was away. */
  interruptions = 0;

  /** @param serverOf returns the address of the service at the moment, with the token of the directory. */
  constructor(serverOf: () => Address) {
    this.#serverOf = serverOf;
  }

  /** Creates or changes a person. */
  person(person: DirectoryPerson): Promise<void> {
    return this.#untilDone(async () => {
      const id = await this.#find('/Users', `userName eq "${person.userName}"`);
      const resource = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...person,
        emails: [{ value: addressOf(person.userName), type: 'work', primary: true }],
      };
      const { body } =
        id === undefined
          ? await this.#send('POST', '/Users', resource)
          : await this.#send('PUT', `/Users/${id}`, resource);
      this.#ids.set(person.userName, body.id);
    });
  }

  /** Deactivates a person, as Entra ID does without its suffix. @returns the status: 400 for the last Admin. */
  async deactivate(userName: string): Promise<number> {
    let status = 0;
    await this.#untilDone(async () => {
      const operation = { op: 'Replace', path: 'active', value: 'False' };
      ({ status } = await this.#patch(`/Users/${this.#ids.get(userName)}`, [operation], [200, 204, 400]));
    });
    return status;
  }

  /** Creates a group or changes its members: as Okta in one request, or as Entra ID in many. */
  group(group: DirectoryGroup, dialect: 'Okta' | 'Entra ID'): Promise<void> {
    return this.#untilDone(async () => {
      const { displayName, externalId } = group;
      const members = group.members.map((name) => ({ value: this.#ids.get(name) }));
      const id = await this.#find('/Groups', `displayName eq "${displayName}"`);
      const resource = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName, externalId };
      if (dialect === 'Okta') {
        if (id === undefined) await this.#send('POST', '/Groups', { ...resource, members });
        else await this.#patch(`/Groups/${id}`, [{ op: 'replace', path: 'members', value: members }]);
        return;
      }
      const { body } = id === undefined ? await this.#send('POST', '/Groups', resource) : { body: { id } };
      for (let start = 0; start < members.length; start += membersAtOnce) {
        const value = members.slice(start, start + membersAtOnce);
        await this.#patch(`/Groups/${body.id}`, [{ op: 'Add', path: 'members', value }]);
      }
    });
  }

  /** Lists all resources of a kind, page by page. */
  async list(path: '/Users' | '/Groups'): Promise<ScimAnswer['body'][]> {
    const all: ScimAnswer['body'][] = [];
    for (;;) {
      const { body } = await this.#send('GET', `${path}?startIndex=${all.length + 1}&count=100`);
      all.push(...body.Resources);
      if (body.Resources.length === 0 || all.length >= body.totalResults) return all;
    }
  }

  async #find(path: '/Users' | '/Groups', filter: string): Promise<string | undefined> {
    const query = new URLSearchParams({ filter, ...(path === '/Groups' && { excludedAttributes: 'members' }) });
    const { body } = await this.#send('GET', `${path}?${query}`);
    return body.Resources[0]?.id;
  }

  #patch(path: string, Operations: readonly object[], expected?: readonly number[]): Promise<ScimAnswer> {
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
    return this.#send('PATCH', path, body, expected);
  }

  /** @throws Error for an unexpected answer, and `Interrupted` if the service is away or busy. */
  async #send(method: string, path: string, sent?: object, expected?: readonly number[]): Promise<ScimAnswer> {
    const { url, token } = this.#serverOf();
    const answer = await fetch(`${url}/scim${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: sent === undefined ? null : JSON.stringify(sent),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    if (answer === undefined || passing.includes(answer.status)) throw new Interrupted();
    this.requests += 1;
    const { status, text } = answer;
    if (!(expected?.includes(status) ?? status < 300)) {
      throw new Error(`${method} ${path} was answered ${status}: ${text.slice(0, 500)}`);
    }
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  }

  async #untilDone(job: () => Promise<void>): Promise<void> {
    const end = performance.now() + patienceMs;
    for (;;) {
      try {
        return await job();
      } catch (error) {
        if (!(error instanceof Interrupted) || performance.now() > end) throw error;
        this.interruptions += 1;
        await sleep(retryMs);
      }
    }
  }
}

const addressOf = (userName: string) => (userName.includes('@') ? userName : `${userName}@example.com`);

/** A request without an answer. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
