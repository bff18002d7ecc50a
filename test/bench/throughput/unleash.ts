import { type Address, get, post, remove, send, sendAll } from '../../harness/http-call.ts';
import { paths } from '../../harness/paths.ts';
import { slicesOf, times } from './names.ts';
import { benchPaths, project } from './paths.ts';
import type { ServerPreparation } from './server.ts';

/** Fixed there. */
const importBytesMax = 512_000;
/** Environment that may be left out of the project for a while, since all other work is done in `development`. */
const environment = 'production';
const bulkSize = 50;
/** The root role Viewer. */
const viewer = 3;

/** Prepares an Unleash server, by its own operations. */
export function unleashPreparation(server: Address): ServerPreparation {
  return {
    importBytesMax,
    async createFeatures(names) {
      await sendAll(
        server,
        names.map((name) => post(benchPaths.features, { name, type: 'release' })),
      );
    },
    async archiveAll() {
      const { features } = (await send(server, get(benchPaths.features))) as { features: { name: string }[] };
      for (const chunk of slicesOf(features, bulkSize)) {
        await send(server, post(benchPaths.archiveFeatures, { features: chunk.map(({ name }) => name) }));
      }
    },
    async switchOn(names) {
      for (const features of slicesOf(names, bulkSize)) await send(server, post(paths.on(), { features }));
    },
    async createUsers(usernames) {
      await sendAll(
        server,
        usernames.map((username) => post(benchPaths.users, { username, rootRole: viewer, sendEmail: false })),
      );
    },
    async createAddons(amount) {
      const parameters = { url: 'http://127.0.0.1:9/' };
      const addon = { provider: 'webhook', enabled: false, parameters, events: ['feature-created'] };
      const created = await sendAll(
        server,
        times(amount, () => post(benchPaths.addons, addon)),
      );
      return (created as { id: number }[]).map(({ id }) => id);
    },
    // Its open-source edition makes neither projects nor environments, so that there is one at a time.
    async freeEnvironments() {
      await send(server, remove(`${benchPaths.projectEnvironments(project)}/${environment}`));
      return [{ project, environment }];
    },
    // Neither of the two is there; the calls will show that.
    setSamlSettings: async () => {},
    archiveOf: async () => project,
  };
}
