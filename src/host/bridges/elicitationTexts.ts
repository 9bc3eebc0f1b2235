import * as vscode from 'vscode';
import type { FieldProblem } from '../../core/elicitation/validate';
import type { ElicitationTexts } from './elicitationBridge';

const { t } = vscode.l10n;

/** The sentences about questions, in the language of the editor. */
export const elicitationTexts: ElicitationTexts = {
  gone: () => t('This question is no longer open.'),
  invalid: ({ label }, problem) => t('{0}: {1}', label, wrong(problem)),
  notAllowed: (url) => t('Addresses of this kind are not opened: {0}', url),
  openFailed: (url) => t('The browser could not be opened. Open this address yourself: {0}', url),
};

function wrong(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'required':
      return t('this must be filled in.');
    case 'tooShort':
      return t('at least {0} characters are needed.', problem.min);
    case 'tooLong':
      return t('at most {0} characters are allowed.', problem.max);
    case 'tooSmall':
      return t('it must be at least {0}.', problem.min);
    case 'tooLarge':
      return t('it must be at most {0}.', problem.max);
    case 'tooFew':
      return t('choose at least {0}.', problem.min);
    case 'tooMany':
      return t('choose at most {0}.', problem.max);
    default:
      return t('this value does not fit.');
  }
}
