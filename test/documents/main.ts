// Writes the table of the settings into the documents that have one: npm run documents
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, TABLES, withTable } from './settingsTable';

for (const [name, language] of Object.entries(TABLES)) {
  const path = join(import.meta.dirname, '..', '..', name);
  writeFileSync(path, withTable(readDocument(name), language));
}
