import { listMarkedThings, type Marks, markup, markupTraces } from '../marked-things.ts';
import type { Walk } from './walk.ts';

const marks: Marks = (what, longest) => `${what} ${markup}<script>ran=1</script>`.trim().slice(0, longest);

/** Pages that show these names. */
const places = [
  ...['/personal', '/projects', '/search'],
  ...['', '/features/marked', '/logs', '/settings', '/features/marked/logs'].map((tab) => `/projects/marked${tab}`),
  ...['/history', '/segments', '/context', '/strategies'],
  ...['/tag-types', '/integrations', '/playground', '/admin/users', '/admin/groups', '/admin/roles', '/admin/api'],
  ...['/admin/service-accounts', '/profile/personal-api-tokens', '/', '/docs'],
];

/** Steps that prove that names of markup and scripts are shown as text everywhere. */
export const markupSteps: Walk = {
  async 'call one thing of each kind by markup and scripts'(visitor) {
    for (const [method, path, body] of listMarkedThings(marks)) await visitor.ask(method, path, body);
  },
  ...Object.fromEntries(places.map((path) => [`find no markup and no script run on ${path}`, findsNone(path)])),
};

function findsNone(path: string): Walk[string] {
  return async (visitor) => {
    await visitor.open(path);
    const found = await visitor.evaluate(markupTraces);
    if (found !== 0) throw new Error(found === -1 ? 'A script has run.' : `${found} elements come from a name.`);
    await visitor.picture(`marked${path.replaceAll('/', '-')}`);
  };
}
