import type { ComponentType } from 'preact';
import { getConsoleFlag, getConsoleFlags, getConsoleNow } from './calls/flags.ts';
import { getAddon, getAddons } from './calls/integrations.ts';
import { getConsoleRequest, getConsoleReviews } from './calls/requests.ts';
import { loadAddress } from './data/cache.ts';

type Props = Readonly<Record<string, string>>;

interface Route {
  /** The address, such as `/projects/:project/features/:feature`; its names are the properties of the screen. */
  readonly pattern: string;
  /** Loads the screen, and begins to read what it shows at the same time. */
  readonly load: (values: Props) => Promise<ComponentType<Props>>;
}

/** The screens by address. */
export const routes: readonly Route[] = [
  { pattern: '/', load: () => loadFlagsPage({}) },
  { pattern: '/projects/:project', load: loadFlagsPage },
  {
    pattern: '/projects/:project/features/:feature',
    load: async ({ project = '', feature = '' }) => {
      loadAddress(getConsoleFlag({ projectId: project, featureName: feature }));
      return (await import('./flag/flag.tsx')).FlagPage as unknown as ComponentType<Props>;
    },
  },
  {
    pattern: '/events',
    load: async () => (await import('./events/events.tsx')).EventsPage as ComponentType<Props>,
  },
  {
    pattern: '/projects/:project/features/:feature/strategies/:mode',
    load: async ({ project = '', feature = '' }) => {
      loadAddress(getConsoleFlag({ projectId: project, featureName: feature }));
      return (await import('./strategy/strategy-editor.tsx')).StrategyEditor as unknown as ComponentType<Props>;
    },
  },
  {
    pattern: '/archive',
    load: async () => (await import('./archive/archive.tsx')).ArchivePage as ComponentType<Props>,
  },
  {
    pattern: '/segments',
    load: async () => (await import('./segments/segments.tsx')).SegmentsPage as unknown as ComponentType<Props>,
  },
  {
    pattern: '/segments/create',
    load: async () => (await import('./segments/segment-editor.tsx')).SegmentEditor as unknown as ComponentType<Props>,
  },
  {
    pattern: '/segments/edit/:id',
    load: async () => (await import('./segments/segment-editor.tsx')).SegmentEditor as unknown as ComponentType<Props>,
  },
  {
    pattern: '/context',
    load: async () =>
      (await import('./context-fields/context-fields.tsx')).ContextFieldsPage as unknown as ComponentType<Props>,
  },
  {
    pattern: '/context/create',
    load: async () =>
      (await import('./context-fields/field-editor.tsx')).FieldEditor as unknown as ComponentType<Props>,
  },
  {
    pattern: '/context/edit/:name',
    load: async () =>
      (await import('./context-fields/field-editor.tsx')).FieldEditor as unknown as ComponentType<Props>,
  },
  {
    pattern: '/tag-types',
    load: async () => (await import('./tag-types/tag-types.tsx')).TagTypesPage as unknown as ComponentType<Props>,
  },
  {
    pattern: '/environments',
    load: async () =>
      (await import('./environments/environments.tsx')).EnvironmentsPage as unknown as ComponentType<Props>,
  },
  {
    pattern: '/applications',
    load: async () =>
      (await import('./applications/applications.tsx')).ApplicationsPage as unknown as ComponentType<Props>,
  },
  {
    pattern: '/applications/:name',
    load: async () =>
      (await import('./applications/application.tsx')).ApplicationPage as unknown as ComponentType<Props>,
  },
  {
    pattern: '/playground',
    load: async () => (await import('./playground/playground.tsx')).PlaygroundPage as unknown as ComponentType<Props>,
  },
  {
    pattern: '/reviews',
    load: async () => {
      loadAddress(getConsoleReviews({}));
      return (await import('./requests/reviews.tsx')).Reviews as ComponentType<Props>;
    },
  },
  {
    pattern: '/projects/:project/change-requests/:id',
    load: async ({ project = '', id = '' }) => {
      loadAddress(getConsoleRequest({ projectId: project, id }));
      return (await import('./requests/request.tsx')).RequestPage as unknown as ComponentType<Props>;
    },
  },
  {
    pattern: '/integrations',
    load: async () => {
      loadAddress(getAddons({}));
      return (await import('./integrations/integrations.tsx')).IntegrationsPage as ComponentType<Props>;
    },
  },
  {
    pattern: '/integrations/create/:provider',
    load: async () =>
      (await import('./integrations/integration-editor.tsx')).NewIntegration as unknown as ComponentType<Props>,
  },
  {
    pattern: '/integrations/edit/:id',
    load: async () =>
      (await import('./integrations/integration-editor.tsx')).EditIntegration as unknown as ComponentType<Props>,
  },
  {
    pattern: '/integrations/:id',
    load: async ({ id = '' }) => {
      loadAddress(getAddon({ id }));
      return (await import('./integrations/integration.tsx')).IntegrationPage as unknown as ComponentType<Props>;
    },
  },
  {
    pattern: '/settings',
    load: async () => (await import('./settings/settings.tsx')).SettingsPage as ComponentType<Props>,
  },
  {
    pattern: '/move',
    load: async () => (await import('./move/move.tsx')).MovePage as ComponentType<Props>,
  },
  {
    pattern: '/now',
    load: async () => {
      loadAddress(getConsoleNow({}));
      return (await import('./now/now.tsx')).Now as ComponentType<Props>;
    },
  },
];

async function loadFlagsPage({ project }: Props): Promise<ComponentType<Props>> {
  loadAddress(getConsoleFlags({}, project === undefined ? {} : { project }));
  return (await import('./flags/flags.tsx')).FlagsPage as ComponentType<Props>;
}
