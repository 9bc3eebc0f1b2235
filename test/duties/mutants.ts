import type { Mutant } from './mutant';
import { QUESTIONS } from './mutants/questions';
import { SESSIONS } from './mutants/sessions';
import { WIRE } from './mutants/wire';
import { WORK } from './mutants/work';

/** All mutants, in groups. */
export const MUTANTS: readonly Mutant[] = [...WIRE, ...WORK, ...SESSIONS, ...QUESTIONS];
