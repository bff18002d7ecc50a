import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A tool as a client offers it to a model. The name has a prefix of the client. */
interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  readonly schema: unknown;
}

interface Call {
  readonly tool: string;
  readonly sent: object;
}

/** The calls of a model that follows a plan. Each call can depend on the answers so far. */
export type CallPlan = readonly ((answers: readonly string[]) => Call)[];

/** A model with the APIs of Anthropic, OpenAI and Google, on a free port of this machine. */
export interface Model extends AsyncDisposable {
  readonly url: string;
  /** The tools and the answers in the last request. */
  readonly last: { readonly tools: readonly OfferedTool[]; readonly answers: readonly string[] };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies have the form of the provider, and the proof fails if they do not.
type Body = any;

/** The form of the requests and replies of one provider. */
interface Form {
  readonly path: RegExp;
  read(body: Body): { readonly tools: readonly OfferedTool[]; readonly answers: readonly unknown[] };
  /** Returns the events of a stream: a call, or a last text. */
  write(call: (OfferedTool & Call & { readonly id: string }) | undefined): readonly object[];
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

const anthropic: Form = {
  path: /\/v1\/messages$/,
  read: ({ tools = [], messages }) => ({
    tools: tools.map(({ name, input_schema: schema }: Body) => ({ name, schema })),
    answers: messages.flatMap(({ content }: Body) => content).filter(({ type }: Body) => type === 'tool_result'),
  }),
  write: (call) => {
    const [block, delta] = call
      ? [{ type: 'tool_use', id: call.id, name: call.name, input: {} }, { partial_json: JSON.stringify(call.sent) }]
      : [{ type: 'text', text: '' }, { text: 'Done' }];
    const message = { id: 'message', type: 'message', role: 'assistant', model: 'none', content: [], usage };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta: { type: call ? 'input_json_delta' : 'text_delta', ...delta } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage },
      { type: 'message_stop' },
    ];
  },
};

const openAi: Form = {
  path: /\/responses$/,
  read: ({ tools = [], input }) => ({
    tools: tools.flatMap((tool: Body) =>
      (tool.tools ?? [tool]).map((each: Body) => ({
        ...each,
        namespace: tool.tools && tool.name,
        schema: each.parameters,
      })),
    ),
    answers: input.filter(({ type }: Body) => type === 'function_call_output'),
  }),
  write: (call) => {
    const { id = '', name, namespace, sent } = call ?? {};
    const item = call
      ? { type: 'function_call', id, call_id: id, name, namespace, arguments: JSON.stringify(sent) }
      : { type: 'message', id: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] };
    const response = { id: 'response', output: [item], usage };
    return [
      { type: 'response.created', response },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
  },
};

const google: Form = {
  path: /:streamGenerateContent$/,
  read: ({ tools = [], contents }) => ({
    tools: tools
      .flatMap(({ functionDeclarations = [] }: Body) => functionDeclarations)
      .map(({ name, parametersJsonSchema: schema }: Body) => ({ name, schema })),
    answers: contents.flatMap(({ parts }: Body) => parts).filter((part: Body) => part.functionResponse),
  }),
  write: (call) => {
    const part = call ? { functionCall: { id: call.id, name: call.name, args: call.sent } } : { text: 'Done' };
    return [{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }];
  },
};

/** Starts a model that follows a plan in each conversation with the tools of the service. */
export async function startModel(plan: CallPlan): Promise<Model> {
  let last: Model['last'] = { tools: [], answers: [] };
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const form = [anthropic, openAi, google].find(({ path }) => path.test(pathname));
    if (form === undefined || sent === '') return void response.end('{}');
    const { tools, answers: nested } = form.read(JSON.parse(sent));
    // Clients nest the JSON of an answer in JSON.
    const answers = nested.map((answer) => JSON.stringify(answer).replaceAll('\\', ''));
    const hasTools = tools.some(({ name }) => name.endsWith('find_flags'));
    if (hasTools) last = { tools, answers };
    const call = hasTools ? plan[answers.length]?.(answers) : undefined;
    const tool = call && tools.find(({ name }) => name.endsWith(call.tool));
    const events = form.write(call && tool && { ...tool, ...call, id: `call_${answers.length}` });
    const lines = events.map((event) => {
      const { type } = event as { readonly type?: string };
      return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
    });
    response.setHeader('content-type', 'text/event-stream').end(lines.join(''));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get last() {
      return last;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
