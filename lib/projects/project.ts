/** An environment as a project uses it; its type and order are copied, since they hardly change and are needed often. */
export interface ProjectEnvironment {
  readonly name: string;
  readonly type: string;
  readonly sortOrder: number;
  readonly changeRequestsEnabled: boolean;
}

/** A project as the store holds it. */
export interface ProjectItem {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly defaultStickiness: string;
  readonly createdAt: string;
  /** JSON: ProjectEnvironment[], by sortOrder. */
  readonly environments: string;
  /** Raised by every change of the project. Its default strategies have versions of their own. */
  readonly version: number;
}

export interface Project extends Omit<ProjectItem, 'environments'> {
  readonly environments: readonly ProjectEnvironment[];
}

export function projectFrom({ environments, ...fields }: ProjectItem): Project {
  return { ...fields, environments: JSON.parse(environments) };
}

export function projectItem({ environments, ...fields }: Project): ProjectItem {
  return { ...fields, environments: JSON.stringify(environments) };
}

/** The project's environment of that name, if it has it. */
export function environmentOf(project: Project, name: string): ProjectEnvironment | undefined {
  return project.environments.find((environment) => environment.name === name);
}

/** The project with one more environment, in its place. */
export function withEnvironment(project: Project, environment: ProjectEnvironment): Project {
  const environments = [...project.environments, environment].toSorted(
    (a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name),
  );
  return { ...project, environments };
}
