import type { FieldProblem } from '../../core/elicitation/validate';
import type { PageString } from '../../core/chat/strings';
import type { Page } from '../page';

const FORMATS: Readonly<Record<string, PageString>> = {
  email: 'wrongEmail',
  uri: 'wrongUri',
  date: 'wrongDate',
  'date-time': 'wrongDateTime',
};

/** What is wrong with a field of a form, for the person. */
export function problemText(problem: FieldProblem, t: Page['t']): string {
  switch (problem.kind) {
    case 'required':
      return t('wrongRequired');
    case 'tooShort':
      return t('wrongTooShort', problem.min);
    case 'tooLong':
      return t('wrongTooLong', problem.max);
    case 'format':
      return t(FORMATS[problem.format] ?? 'wrongType');
    case 'pattern':
      return t('wrongPattern', problem.pattern);
    case 'notNumber':
      return t('wrongNumber');
    case 'notInteger':
      return t('wrongInteger');
    case 'tooSmall':
      return t('wrongTooSmall', problem.min);
    case 'tooLarge':
      return t('wrongTooLarge', problem.max);
    case 'tooFew':
      return t('wrongTooFew', problem.min);
    case 'tooMany':
      return t('wrongTooMany', problem.max);
    case 'wrongType':
    case 'unknownOption':
      return t('wrongType');
  }
}
