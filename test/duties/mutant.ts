/** A change of one line that breaks a duty, and the test file that notices it. */
export interface Mutant {
  duty: string;
  /** Path below the repository of the source that is changed. */
  file: string;
  /** Text that occurs exactly once in it. */
  find: string;
  replace: string;
  /** Path below the repository of the test file; its tests that name the duty are run. */
  test: string;
  /** Chooses other tests than those that name the duty. */
  grep?: string;
}
