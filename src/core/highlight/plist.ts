type PlistValue = string | PlistValue[] | { [key: string]: PlistValue };

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** Most values of one file, so that a broken one ends. */
const MAX_PARTS = 200_000;

/**
 * Reads a property list in XML, of which the themes of TextMate consist: dictionaries, arrays, and everything else as text.
 *
 * @throws Error where it is none
 */
export function parsePlist(xml: string): unknown {
  const text = xml.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>]*>/g, '');
  const parts = [...text.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>([^<]*)/g)].slice(0, MAX_PARTS);
  let at = 0;
  const isClosing = (): boolean => {
    const part = parts[at];
    if (!part) throw new Error('The property list ends too early.');
    return part[1] === '/';
  };
  const readArray = (): PlistValue[] => {
    const items: PlistValue[] = [];
    while (!isClosing()) items.push(read());
    at++;
    return items;
  };
  const readDictionary = (): { [key: string]: PlistValue } => {
    const entries: [string, PlistValue][] = [];
    while (!isClosing()) {
      const key = read();
      entries.push([typeof key === 'string' ? key : '', read()]);
    }
    at++;
    return Object.fromEntries(entries);
  };
  const read = (): PlistValue => {
    const part = parts[at++];
    if (!part) throw new Error('The property list ends too early.');
    const [, , name, empty, content = ''] = part;
    if (name === 'dict') return empty ? {} : readDictionary();
    if (name === 'array') return empty ? [] : readArray();
    if (!empty && isClosing()) at++;
    return content.trim().replace(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole);
  };
  while (at < parts.length && parts[at]?.[2] === 'plist') at++;
  return read();
}
