import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** What a layer (the first folder below src) must not import. Read together with CONTRIBUTING.md, "Layers". */
const zone = (files, forbidden, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: forbidden, message }] }] },
});

export default tseslint.config(
  {
    ignores: [
      'dist',
      'out',
      'node_modules',
      '**/*.mjs',
      'test/vscode/caller',
      'test/vscode/models',
      'test/vscode/opener',
      'test/vscode/sample',
      'test/bench/*.js',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  prettier,
  {
    languageOptions: {
      parserOptions: {
        project: [
          'tsconfig.json',
          'src/core/tsconfig.json',
          'src/webview/tsconfig.json',
          'test/tsconfig.webview.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'max-lines': ['error', { max: 400 }],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      complexity: ['error', { max: 12, variant: 'modified' }],
    },
  },
  { files: ['src/**'], rules: { 'max-lines-per-function': ['error', { max: 60, skipComments: true }] } },
  zone(['src/core/**'], '^vscode|^node:|/(acp|host|webview|agent)/', 'core imports only core'),
  zone(['src/acp/**'], '^vscode$|/(host|webview|agent)/', 'acp imports core, node and vscode-jsonrpc'),
  zone(['src/webview/**'], '^vscode|^node:|/(acp|host|agent)/', 'the page imports only core'),
  zone(['src/agent/**'], '^vscode$|/(host|webview)/', 'the built-in agent imports core and acp'),
  zone(['src/host/**'], '/(webview|agent)/', 'host knows the page and the agent only as files in dist'),
  {
    files: ['test/**'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off', 'max-lines-per-function': 'off' },
  },
);
