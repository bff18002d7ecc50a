import { deployedEndpoints } from '../../infra/deployed-endpoints.ts';
import { keyOf, routesTo } from '../../infra/routes.ts';

const endpoints = deployedEndpoints();
const declarations = endpoints.map(({ declaration }) => declaration);

/** The endpoints of the registry by the keys of the routes that lead to them; one may have several. */
export const deployedRoutes = endpoints.flatMap((endpoint) =>
  routesTo(endpoint.declaration, declarations).map((route) => ({ ...endpoint, route: keyOf(route) })),
);
