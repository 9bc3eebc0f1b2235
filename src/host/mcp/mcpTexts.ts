import * as vscode from 'vscode';
import { visibleText } from '../../core/visibleText';
import type { McpTexts } from './mcpServers';
import type { FieldProblem, InputProblem, ServerProblem } from './serverProblem';

const { t } = vscode.l10n;

/** The sentences about MCP servers in the language of the editor. */
export const mcpTexts: McpTexts = {
  reason,
  from: ({ folder }) => (folder ? t('folder {0}', visibleText(folder.name)) : t('your own servers')),
};

function reason(problem: ServerProblem): string {
  switch (problem.cause) {
    case 'noInput':
    case 'badInput':
    case 'commandInput':
    case 'inputCancelled':
      return inputReason(problem.cause, visibleText(problem.input));
    case 'unknownVariable':
      return t('The variable {0} is not known here.', visibleText(problem.variable));
    case 'unreadable':
      return t('The file can’t be read.');
    case 'syntaxError':
      return t('Line {0} of the file is not valid JSON.', problem.line);
    case 'commandNotFound':
      return t('The command "{0}" was not found.', visibleText(problem.command));
    case 'envFileUnreadable':
      return t('Its envFile "{0}" can’t be read.', visibleText(problem.path));
    case 'transportUnsupported':
      return t('The agent does not support MCP servers of type "{0}".', problem.transport);
    default:
      return fieldReason(problem.cause);
  }
}

function inputReason(cause: InputProblem, input: string): string {
  switch (cause) {
    case 'noInput':
      return t('The file defines no input "{0}".', input);
    case 'badInput':
      return t('The input "{0}" is not defined correctly.', input);
    case 'commandInput':
      return t('The input "{0}" comes from a command, which Parley does not run.', input);
    case 'inputCancelled':
      return t('The input "{0}" was not given.', input);
  }
}

function fieldReason(cause: FieldProblem): string {
  switch (cause) {
    case 'notObject':
      return t('It must be an object.');
    case 'badType':
      return t('Its "type" must be "stdio", "http" or "sse".');
    case 'noCommand':
      return t('It has no "command".');
    case 'badArgs':
      return t('Its "args" must be a list of texts.');
    case 'badEnv':
      return t('Its "env" must be an object of texts.');
    case 'badEnvFile':
      return t('Its "envFile" must be a text.');
    case 'badCwd':
      return t('Its "cwd" must be a text.');
    case 'noUrl':
      return t('It has no "url".');
    case 'badUrl':
      return t('Its "url" must begin with http:// or https://.');
    case 'badHeaders':
      return t('Its "headers" must be an object of texts.');
    case 'sandboxed':
      return t('It is to run in VS Code’s sandbox, which agents don’t have.');
  }
}
