/**
 * Languages that code blocks are coloured for: the name of the grammar, what else agents call it, and after `=` the editor's name for it
 * where that is another one.
 */
const LANGUAGES = `
typescript ts mts cts
tsx =typescriptreact
javascript js mjs cjs node
jsx =javascriptreact
json
jsonc json5
html htm xhtml
css
scss sass
less
python py python3 pyi
go golang
rust rs
c h
cpp c++ cc cxx hpp
csharp c# cs
java
kotlin kt kts
swift
php
ruby rb
shellscript sh bash zsh shell ksh
shellsession console
powershell ps1 ps pwsh
bat batch cmd
sql postgres postgresql mysql sqlite plsql
yaml yml
toml
xml svg xsd xsl plist
markdown md
diff patch
docker dockerfile =dockerfile
make makefile mk =makefile
lua
r
scala
dart
graphql gql
ini properties conf cfg
vue
svelte
haskell hs
elixir ex exs
perl pl
objective-c objc m
zig
terraform tf hcl
proto protobuf =proto3
groovy gradle
cmake
viml vim
latex tex
clojure clj
ocaml ml
fsharp f#
dotenv env
`;

interface Language {
  grammar: string;
  editor: string;
}

const languages = new Map<string, Language>();
for (const line of LANGUAGES.trim().split('\n')) {
  const [grammar = '', ...names] = line.split(' ');
  const editor = names.find((name) => name.startsWith('='))?.slice(1) ?? grammar;
  for (const name of [grammar, ...names]) languages.set(name, { grammar, editor });
}

/** The grammars that there are. */
export const grammars: readonly string[] = [
  ...new Set([...languages.values()].map(({ grammar }) => grammar)),
];

/** The grammar of a language, by any of its names; undefined for one that has none here. */
export function grammarOf(language: string): string | undefined {
  return languages.get(language.toLowerCase())?.grammar;
}

/** What the editor calls a language, as far as that is known; undefined where there is no name. */
export function editorLanguage(language: string): string | undefined {
  return languages.get(language.toLowerCase())?.editor ?? (language.toLowerCase() || undefined);
}
