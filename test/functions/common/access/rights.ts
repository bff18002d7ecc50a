/** Roles as the contract names them: three that hold everywhere, and two that hold in one project. */
export type Role = 'Admin' | 'Editor' | 'Owner' | 'Member' | 'Viewer';

const everybody: readonly Role[] = ['Admin', 'Editor', 'Owner', 'Member', 'Viewer'];
const forFeatures: readonly Role[] = ['Admin', 'Editor', 'Owner', 'Member'];
const forProjects: readonly Role[] = ['Admin', 'Editor', 'Owner'];
const forWhatIsShared: readonly Role[] = ['Admin', 'Editor'];
const forTheService: readonly Role[] = ['Admin'];

/**
 * Whose rights suffice for each operation, written down from the contract and not from the code, so that neither can
 * be wrong alone.
 */
const sufficient: Readonly<Record<string, readonly Role[] | 'public'>> = {
  addDefaultStrategyToProjectEnvironment: forProjects,
  addEnvironmentToProject: forProjects,
  addFeatureStrategy: forFeatures,
  addTag: forFeatures,
  bulkToggleFeaturesEnvironmentOff: forFeatures,
  deleteAddon: forWhatIsShared,
  getAllEnvironments: everybody,
  getArchivedFeaturesByProjectId: everybody,
  getBaseUsersAndGroups: everybody,
  getEnvironmentFeatureVariants: everybody,
  getEventsForToggle: everybody,
  getHealth: 'public',
  getOpenApiDocument: 'public',
  getSamlSettings: forTheService,
  getStartPage: 'public',
  importToggles: forFeatures,
  setSamlSettings: forTheService,
  updateFeature: forFeatures,
  validateProject: forWhatIsShared,
};

/** The operations that the contract says something about. */
export const knownOperations = Object.keys(sufficient);

export type Outcome = 'let in' | '401 AuthenticationRequired' | '403 NoAccessError';

/**
 * What must come of a request, by the role that its token stands for where the request goes; none is that of a token
 * that is not valid.
 */
export function expectedOutcome(operationId: string, role: Role | undefined): Outcome {
  const roles = sufficient[operationId];
  if (roles === undefined)
    throw new Error(`Say in test/functions/common/access/rights.ts who may call ${operationId}.`);
  if (roles === 'public') return 'let in';
  if (role === undefined) return '401 AuthenticationRequired';
  return roles.includes(role) ? 'let in' : '403 NoAccessError';
}
