import { deploymentOf } from '../../functions/folders.ts';
import { listEndpoints } from '../../infra/deployed-endpoints.ts';
import { routeKeyOf, routesTo } from '../../infra/routes.ts';

const endpoints = listEndpoints();

/** The endpoints of the registry by the keys of the routes that lead to them; one may have several. */
export const deployedRoutes = endpoints.flatMap((endpoint) =>
  routesTo(endpoint, endpoints).map((route) => ({ ...endpoint, route: routeKeyOf(route) })),
);

/** The folders whose endpoints share a function, and those that do so at an address of their own. */
const folders = [...new Set(endpoints.map(({ folder }) => folder))];
export const joinedFolders = folders.filter((folder) => deploymentOf(folder) !== 'apart');
export const addressedFolders = folders.filter((folder) => deploymentOf(folder) === 'address');
