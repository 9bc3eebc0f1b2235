const vscode = require('vscode');

const MODEL = {
  id: 'parrot',
  name: 'Parrot',
  family: 'parrot',
  version: '1',
  maxInputTokens: 8000,
  maxOutputTokens: 1000,
  capabilities: { toolCalling: true },
  // As for a model that a person pays for: VS Code then asks before another extension may use it.
  requiresAuthorization: true,
};

/** Says back what it is told; for "write …" it asks for the tool that writes a file, and says what came of it. */
exports.activate = function activate(context) {
  const provider = {
    provideLanguageModelChatInformation: () => [MODEL],
    provideLanguageModelChatResponse: async (_model, messages, { tools = [] }, progress) => {
      for (const part of answerTo(messages.at(-1), tools)) progress.report(part);
    },
    provideTokenCount: async () => 1,
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('parley-test', provider));
};

function answerTo({ content }, tools) {
  const text = (value) => new vscode.LanguageModelTextPart(value);
  const [last] = content;
  if (last instanceof vscode.LanguageModelToolResultPart)
    return [text(`The parrot saw: ${last.content.map(({ value }) => value).join(' ')}`)];
  const said = content.map(({ value = '' }) => value).join('');
  if (said.startsWith('fail')) throw new Error('The parrot is asleep.');
  if (!said.startsWith('write')) return [text('The parrot says: '), text(said)];
  const tool = tools.find(({ name }) => name === 'write_file');
  if (!tool) return [text('The parrot has no tools.')];
  const call = new vscode.LanguageModelToolCallPart('p1', tool.name, {
    path: 'parrot.txt',
    text: 'hello\n',
  });
  return [text('The parrot writes. '), call];
}
