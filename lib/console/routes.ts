import type { ComponentType } from 'preact';
import { matchPath } from './browser/match-path.ts';
import { getContextFields } from './calls/context-fields.ts';
import { eventsOfPage, getConsoleEvents } from './calls/events.ts';
import { getConsoleFlag, getConsoleFlags, getConsoleNow } from './calls/flags.ts';
import { getImpactMetricsMetadata, getInstanceImpactMetricsConfig } from './calls/impact-metrics.ts';
import { getAddon, getAddons } from './calls/integrations.ts';
import { getUser } from './calls/people.ts';
import { getConsoleProjects, getProjectOverview } from './calls/projects.ts';
import { getConsoleRequest, getConsoleReviews } from './calls/requests.ts';
import { getSegments } from './calls/segments.ts';
import { getProfile } from './calls/sign-in.ts';
import { getAllApiTokens } from './calls/tokens.ts';
import { loadAddress } from './data/cache.ts';

type Props = Readonly<Record<string, string>>;

/** A component whose properties are the names in its address. */
// biome-ignore lint/suspicious/noExplicitAny: each screen names its own properties
type Screen = ComponentType<any>;

interface Route {
  /** The address, such as `/projects/:project/features/:feature`; its names are the properties of the screen. */
  readonly pattern: string;
  /** Loads the screen, and begins to read what it shows at the same time. */
  readonly load: (values: Props) => Promise<Screen>;
  /** Marks a page for people without a session. It reads nothing that needs one. */
  readonly isOpen?: true;
}

/** The screens by address. */
const routes: readonly Route[] = [
  { pattern: '/', load: () => loadFlagsPage({}) },
  { pattern: '/projects/:project', load: loadFlagsPage },
  {
    pattern: '/projects/:project/features/:feature',
    load: async ({ project = '', feature = '' }) => {
      loadAddress(getConsoleFlag({ projectId: project, featureName: feature }));
      return (await import('./flag/flag.tsx')).FlagPage;
    },
  },
  {
    pattern: '/events',
    load: async () => {
      // With filters, the page knows what to read.
      if (location.search === '') loadAddress(getConsoleEvents({}, { limit: eventsOfPage }));
      return (await import('./events/events.tsx')).EventsPage;
    },
  },
  {
    pattern: '/projects/:project/features/:feature/strategies/:mode',
    load: async ({ project = '', feature = '' }) => {
      loadAddress(getConsoleFlag({ projectId: project, featureName: feature }));
      loadAddress(getContextFields({}));
      loadAddress(getSegments({}));
      return (await import('./strategy/strategy-editor.tsx')).StrategyEditor;
    },
  },
  {
    pattern: '/archive',
    load: async () => (await import('./archive/archive.tsx')).ArchivePage,
  },
  {
    pattern: '/segments',
    load: async () => (await import('./segments/segments.tsx')).SegmentsPage,
  },
  {
    pattern: '/segments/create',
    load: async () => (await import('./segments/segment-editor.tsx')).SegmentEditor,
  },
  {
    pattern: '/segments/edit/:id',
    load: async () => (await import('./segments/segment-editor.tsx')).SegmentEditor,
  },
  {
    pattern: '/context',
    load: async () => (await import('./context-fields/context-fields.tsx')).ContextFieldsPage,
  },
  {
    pattern: '/context/create',
    load: async () => (await import('./context-fields/field-editor.tsx')).FieldEditor,
  },
  {
    pattern: '/context/edit/:name',
    load: async () => (await import('./context-fields/field-editor.tsx')).FieldEditor,
  },
  {
    pattern: '/release-templates',
    load: async () => (await import('./release-templates/templates.tsx')).TemplatesPage,
  },
  {
    pattern: '/release-templates/create',
    load: async () => (await import('./release-templates/template-editor.tsx')).NewTemplatePage,
  },
  {
    pattern: '/release-templates/edit/:id',
    load: async () => (await import('./release-templates/template-editor.tsx')).TemplatePage,
  },
  {
    pattern: '/tag-types',
    load: async () => (await import('./tag-types/tag-types.tsx')).TagTypesPage,
  },
  {
    pattern: '/environments',
    load: async () => (await import('./environments/environments.tsx')).EnvironmentsPage,
  },
  {
    pattern: '/applications',
    load: async () => (await import('./applications/applications.tsx')).ApplicationsPage,
  },
  {
    pattern: '/applications/:name',
    load: async () => (await import('./applications/application.tsx')).ApplicationPage,
  },
  {
    pattern: '/impact-metrics',
    load: async () => {
      loadAddress(getInstanceImpactMetricsConfig({}));
      loadAddress(getImpactMetricsMetadata({}));
      return (await import('./impact-metrics/impact-metrics-page.tsx')).ImpactMetricsPage;
    },
  },
  {
    pattern: '/insights',
    load: async () => (await import('./trends/trends-page.tsx')).TrendsPage,
  },
  {
    pattern: '/playground',
    load: async () => (await import('./playground/playground.tsx')).PlaygroundPage,
  },
  {
    pattern: '/reviews',
    load: async () => {
      loadAddress(getConsoleReviews({}));
      return (await import('./requests/reviews.tsx')).Reviews;
    },
  },
  {
    pattern: '/projects/:project/change-requests/:id',
    load: async ({ project = '', id = '' }) => {
      loadAddress(getConsoleRequest({ projectId: project, id }));
      return (await import('./requests/request.tsx')).RequestPage;
    },
  },
  {
    pattern: '/integrations',
    load: async () => {
      loadAddress(getAddons({}));
      return (await import('./integrations/integrations.tsx')).IntegrationsPage;
    },
  },
  {
    pattern: '/integrations/create/:provider',
    load: async () => (await import('./integrations/integration-editor.tsx')).NewIntegration,
  },
  {
    pattern: '/integrations/edit/:id',
    load: async () => (await import('./integrations/integration-editor.tsx')).EditIntegration,
  },
  {
    pattern: '/integrations/:id',
    load: async ({ id = '' }) => {
      loadAddress(getAddon({ id }));
      return (await import('./integrations/integration.tsx')).IntegrationPage;
    },
  },
  {
    pattern: '/settings',
    load: async () => (await import('./settings/settings.tsx')).SettingsPage,
  },
  {
    pattern: '/move',
    load: async () => (await import('./move/move.tsx')).MovePage,
  },
  {
    pattern: '/new-user',
    isOpen: true,
    load: async () => (await import('./account/new-user.tsx')).NewUserPage,
  },
  {
    pattern: '/reset-password',
    isOpen: true,
    load: async () => (await import('./account/reset-password.tsx')).ResetPasswordPage,
  },
  {
    pattern: '/forgotten-password',
    isOpen: true,
    load: async () => (await import('./account/forgotten-password.tsx')).ForgottenPasswordPage,
  },
  {
    pattern: '/me',
    load: async () => {
      loadAddress(getProfile({}));
      return (await import('./me/me.tsx')).MePage;
    },
  },
  {
    pattern: '/projects',
    load: async () => {
      loadAddress(getConsoleProjects({}));
      return (await import('./projects/projects-page.tsx')).ProjectsPage;
    },
  },
  {
    pattern: '/projects/:project/settings',
    load: async ({ project = '' }) => {
      loadAddress(getProjectOverview({ projectId: project }));
      return (await import('./project-settings/settings-page.tsx')).ProjectSettingsPage;
    },
  },
  {
    pattern: '/sign-in',
    load: async () => (await import('./sign-in-settings/sign-in-page.tsx')).SignInPage,
  },
  {
    pattern: '/tokens',
    load: async () => {
      loadAddress(getAllApiTokens({}));
      return (await import('./tokens/tokens-page.tsx')).TokensPage;
    },
  },
  {
    pattern: '/tokens/new',
    load: async () => (await import('./tokens/new-token.tsx')).NewTokenPage,
  },
  {
    pattern: '/people',
    load: async () => (await import('./people/people-page.tsx')).PeoplePage,
  },
  {
    pattern: '/people/new',
    load: async () => (await import('./people/invite.tsx')).InvitePage,
  },
  {
    pattern: '/people/:id',
    load: async ({ id = '' }) => {
      loadAddress(getUser({ id }));
      return (await import('./people/person-page.tsx')).PersonPage;
    },
  },
  {
    pattern: '/people/groups/:id',
    load: async () => (await import('./people/group-page.tsx')).GroupPage,
  },
  {
    pattern: '/people/roles/:id',
    load: async () => (await import('./people/role-page.tsx')).RolePage,
  },
  {
    pattern: '/now',
    load: async () => {
      loadAddress(getConsoleNow({}));
      return (await import('./now/now.tsx')).Now;
    },
  },
];

/** Finds the screen of a path, with the values of its names. */
export function findRoute(path: string): { readonly route: Route; readonly values: Props } | undefined {
  for (const route of routes) {
    const values = matchPath(route.pattern, path);
    if (values !== undefined) return { route, values };
  }
  return undefined;
}

async function loadFlagsPage({ project }: Props): Promise<Screen> {
  loadAddress(getConsoleFlags({}, project === undefined ? {} : { project }));
  return (await import('./flags/flags.tsx')).FlagsPage;
}
