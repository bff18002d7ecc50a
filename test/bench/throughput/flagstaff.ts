import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import type { Request } from '../../../lib/request.ts';
import { type Address, remove, send, sendAll } from '../../harness/http-call.ts';
import { importCalls, rolloutStrategy, samlCall } from './bodies.ts';
import { fillers } from './fill.ts';
import { freshName, freshNames, slicesOf, times } from './names.ts';
import { benchEnvironment, benchPaths } from './paths.ts';
import type { FreeEnvironment, ServerPreparation } from './server.ts';

/** Environments of every store, all of which a project may be given. */
const everywhere = ['development', 'production', 'default'];
const importSize = 1_000;

/**
 * Prepares Flagstaff: by imports, and by seeds for things that the API cannot create yet.
 * @param importBytesMax the server's IMPORT_BODY_LIMIT_BYTES.
 */
export function flagstaffPreparation(server: Address, table: Request, importBytesMax: number): ServerPreparation {
  const seed = (file: object) => seedStore(table, readSeed(file));
  let lastAddon = 0;
  let projects: string[] = [];

  return {
    importBytesMax,
    async createFeatures(names) {
      for (const chunk of slicesOf(names, importSize)) {
        await sendAll(
          server,
          importCalls(
            chunk.map((name) => ({ name })),
            importBytesMax,
          ),
        );
      }
    },
    // Each work has a server of its own, which holds what the work made.
    archiveAll: async () => {},
    async switchOn(names) {
      for (const chunk of slicesOf(names, importSize)) {
        const features = chunk.map((name) => ({ name, enabled: true, strategies: [rolloutStrategy(100)] }));
        await sendAll(server, importCalls(features, importBytesMax));
      }
    },
    async createUsers(usernames) {
      await seed({ users: usernames.map((username) => ({ username })) });
    },
    async createAddons(amount) {
      const ids = times(amount, (index) => lastAddon + index + 1);
      lastAddon += amount;
      await seed({ addons: ids.map((id) => ({ id, provider: 'webhook' })) });
      return ids;
    },
    async freeEnvironments(amount) {
      // A store has at most 500 projects, so those of the last round go first.
      await sendAll(server, projects.map(benchPaths.project).map(remove));
      projects = freshNames(Math.ceil(amount / everywhere.length), 'project');
      await seed({ projects: projects.map((id) => ({ id, environments: [] })) });
      const free = everywhere.flatMap((each) =>
        projects.map((project): FreeEnvironment => ({ project, environment: each })),
      );
      return free.slice(0, amount);
    },
    async setSamlSettings() {
      await send(server, samlCall(freshName('entity')));
    },
    async archiveOf(amount) {
      const project = freshName('project');
      await seed({ projects: [{ id: project, environments: [benchEnvironment] }] });
      const features = freshNames(amount).map((name) => ({ name, archived: true }));
      for (const call of importCalls(features, importBytesMax, project)) await send(server, call);
      return project;
    },
  };
}

/** The environments that a store has room for besides those that it begins with. */
const furtherEnvironments = 47;

/** Prepares the same, but adds environments to the projects that share the features, to show that these do not matter. */
export function inLargeProjects(preparation: ServerPreparation, table: Request): ServerPreparation {
  let free: FreeEnvironment[] | undefined;
  return {
    ...preparation,
    async freeEnvironments(amount) {
      if (free === undefined) {
        const names = freshNames(furtherEnvironments, 'environment');
        const projects = fillers.map((id) => ({ id, environments: [] }));
        await seedStore(table, readSeed({ projects, environments: names.map((name) => ({ name })) }));
        free = names.flatMap((environment) => fillers.map((project) => ({ project, environment })));
      }
      return free.splice(0, amount);
    },
  };
}
