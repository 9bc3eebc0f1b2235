import type { Mutant } from '../mutant';

/** What the person is asked: permissions and elicitations. */
export const QUESTIONS: readonly Mutant[] = [
  {
    duty: 'CA-3',
    file: 'src/host/bridges/permissionBridge.ts',
    find: 'if (late) this.settle',
    replace: 'if (late && false) this.settle',
    test: 'test/unit/host/permissionBridge.test.ts',
  },
  {
    duty: 'PE-5',
    file: 'src/host/bridges/permissionBridge.ts',
    find: 'question.resolve(outcome);',
    replace: 'if (optionId !== null) question.resolve(outcome);',
    test: 'test/unit/host/permissionBridge.test.ts',
  },
];
