import { type Address, get, post, remove, send, sendAll } from './call.ts';
import { chunksOf, times } from './names.ts';
import { paths, project } from './paths.ts';
import type { Preparation } from './server.ts';

/** Fixed there. */
const importBytesMax = 512_000;
/** Environment that may be left out of the project for a while, since all other work is done in `development`. */
const environment = 'production';
const bulkSize = 50;
/** The root role Viewer. */
const viewer = 3;

/** Prepares an Unleash server, by its own operations. */
export function unleashPreparation(server: Address): Preparation {
  return {
    importBytesMax,
    async createFeatures(names) {
      await sendAll(
        server,
        names.map((name) => post(paths.features, { name, type: 'release' })),
      );
    },
    async archiveAll() {
      const { features } = (await send(server, get(paths.features))) as { features: { name: string }[] };
      for (const chunk of chunksOf(features, bulkSize)) {
        await send(server, post(paths.archiveFeatures, { features: chunk.map(({ name }) => name) }));
      }
    },
    async switchOn(names) {
      for (const features of chunksOf(names, bulkSize)) await send(server, post(paths.bulk('on'), { features }));
    },
    async createUsers(usernames) {
      await sendAll(
        server,
        usernames.map((username) => post(paths.users, { username, rootRole: viewer, sendEmail: false })),
      );
    },
    async createAddons(amount) {
      const parameters = { url: 'http://127.0.0.1:9/' };
      const addon = { provider: 'webhook', enabled: false, parameters, events: ['feature-created'] };
      const created = await sendAll(
        server,
        times(amount, () => post(paths.addons, addon)),
      );
      return (created as { id: number }[]).map(({ id }) => id);
    },
    // Its open-source edition makes neither projects nor environments, so that there is one at a time.
    async freeEnvironments() {
      await send(server, remove(`${paths.projectEnvironments(project)}/${environment}`));
      return [{ project, environment }];
    },
    // Neither of the two is there; the calls will show that.
    setSamlSettings: async () => {},
    archiveOf: async () => project,
  };
}
