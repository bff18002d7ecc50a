import type { Admin } from './admin.ts';

/** The projects of the proof. */
export const projectIds = ['alpha', 'beta'] as const;
const environments = ['development', 'production'] as const;

interface OwnFlag {
  readonly name: string;
  project: string;
  isArchived: boolean;
  /** Rises with every change of the description, so that a client that goes back is noticed. */
  count: number;
}

/** Changes flags of its own, and a segment that some of them use. */
export class Writer {
  readonly #admin: Admin;
  readonly #random: () => number;
  readonly #id: number;
  readonly #flags: OwnFlag[] = [];
  #segment = 0;
  /** The changes so far. */
  changes = 0;

  constructor(admin: Admin, random: () => number, id: number) {
    this.#admin = admin;
    this.#random = random;
    this.#id = id;
  }

  /** Makes one random change. */
  async change(): Promise<void> {
    this.changes += 1;
    const flag = this.#flags[this.#below(this.#flags.length)];
    if (flag === undefined || (this.#flags.length < 12 && this.#random() < 0.2)) return this.#create();
    if (flag.isArchived) return this.#revive(flag);
    const actions = [
      this.#count,
      this.#count,
      this.#turn,
      this.#turn,
      this.#useSegment,
      this.#changeSegment,
      this.#move,
      this.#archive,
    ];
    return actions[this.#below(actions.length)]?.call(this, flag);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  async #create(): Promise<void> {
    const project = projectIds[this.#below(projectIds.length)] ?? 'alpha';
    const name = `flag-${this.#id}-${this.#flags.length}`;
    await this.#admin.ask('POST', `/api/admin/projects/${project}/features`, {
      name,
      type: 'release',
      description: '0',
    });
    this.#flags.push({ name, project, isArchived: false, count: 0 });
  }

  async #count(flag: OwnFlag): Promise<void> {
    flag.count += 1;
    const body = { description: String(flag.count), type: 'release' };
    await this.#admin.ask('PUT', `/api/admin/projects/${flag.project}/features/${flag.name}`, body);
  }

  async #turn({ name, project }: OwnFlag): Promise<void> {
    const to = this.#random() < 0.5 ? 'on' : 'off';
    const environment = environments[this.#below(2)];
    await this.#admin.ask('POST', `/api/admin/projects/${project}/features/${name}/environments/${environment}/${to}`);
  }

  async #useSegment({ name, project }: OwnFlag): Promise<void> {
    if (this.#segment === 0) await this.#changeSegment();
    const path = `/api/admin/projects/${project}/features/${name}/environments/development/strategies`;
    await this.#admin.ask('POST', path, { name: 'default', segments: [this.#segment] });
  }

  async #changeSegment(): Promise<void> {
    const values = [String(this.changes)];
    const segment = { name: `segment-${this.#id}`, constraints: [{ contextName: 'userId', operator: 'IN', values }] };
    if (this.#segment > 0) {
      await this.#admin.ask('PUT', `/api/admin/segments/${this.#segment}`, segment);
      return;
    }
    await this.#admin.ask('POST', '/api/admin/segments', segment);
    const { body } = await this.#admin.ask('GET', '/api/admin/segments');
    const { segments } = body as { readonly segments: readonly { readonly id: number; readonly name: string }[] };
    this.#segment = segments.find(({ name }) => name === segment.name)?.id ?? 0;
  }

  async #move(flag: OwnFlag): Promise<void> {
    const newProjectId = flag.project === 'alpha' ? 'beta' : 'alpha';
    const path = `/api/admin/projects/${flag.project}/features/${flag.name}/changeProject`;
    const { status } = await this.#admin.ask('POST', path, { newProjectId });
    // If a killed server has moved the flag, the repetition does not find it in its old project.
    if (status < 400 || status === 404) flag.project = newProjectId;
  }

  async #archive(flag: OwnFlag): Promise<void> {
    await this.#admin.ask('DELETE', `/api/admin/projects/${flag.project}/features/${flag.name}`);
    flag.isArchived = true;
  }

  async #revive(flag: OwnFlag): Promise<void> {
    await this.#admin.ask('POST', `/api/admin/archive/revive/${flag.name}`);
    flag.isArchived = false;
  }
}
