/** Duties that no test of their own can name: why, and where they are proved instead. */
export const NOT_FOR_CODE: Readonly<Record<string, string>> = {
  'TR-7': 'its must is about transports other than stdio, and Parley has none',
  'IN-6': 'there is one version; another one is refused (IN-5)',
  'SE-1': 'the same as IN-1',
  'PT-1': 'the same as IN-1, and without a session there is no id to prompt with',
};

/** Duties with a test that no change of one line can make fail: why. */
export const NO_MUTANT: Readonly<Record<string, string>> = {};
