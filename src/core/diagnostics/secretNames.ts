/** Words that name a secret wherever they stand in a name. */
const SECRET = new Set(
  'token secret secrets password passwd passphrase credential credentials apikey authorization cookie cookies jwt bearer'.split(
    ' ',
  ),
);

/** Words that name one only together with another: PWD alone is the working folder. */
const SECRET_IN_COMPANY = new Set(['pass', 'pwd', 'pat', 'tokens']);

/** What makes a secret of a word `key` that follows. */
const BEFORE_KEY = new Set(
  'access account api auth client encryption license master private secret service signing ssh subscription'.split(
    ' ',
  ),
);

/** Names of an address's parameters that hold what signs or proves, short as they are. */
const IN_ADDRESS = new Set(['key', 'sig', 'signature', 'code', 'auth', 'assertion', 'pwd', 'pass', 'tokens']);

/** True for a name of a variable, field, header or option whose value is likely a secret: GITHUB_TOKEN, apiKey, --client-secret. */
export function namesSecret(name: string): boolean {
  if (/^_auth$/i.test(name)) return true;
  const words = wordsOf(name);
  return words.some((word, at) => {
    if (SECRET.has(word)) return true;
    if (words.length > 1 && SECRET_IN_COMPANY.has(word)) return true;
    return word === 'key' && at > 0 && (BEFORE_KEY.has(words[at - 1] ?? '') || isConstant(name, words, at));
  });
}

/** The same for a parameter of an address, where less is needed: `?key=…`. */
export function namesSecretInAddress(name: string): boolean {
  return namesSecret(name) || IN_ADDRESS.has(name.toLowerCase()) || /[-_]signature$/i.test(name);
}

/** True where the name counts tokens of a model, unless its value is a text. */
export function countsTokens(name: string): boolean {
  return wordsOf(name).includes('tokens');
}

/** OPENAI_KEY, as opposed to sort_key. */
function isConstant(name: string, words: readonly string[], at: number): boolean {
  return at === words.length - 1 && name === name.toUpperCase() && words[at - 1] !== 'public';
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
