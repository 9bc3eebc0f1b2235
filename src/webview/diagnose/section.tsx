import type { ReportRow, ReportSection } from '../../core/diagnostics/reportSections';
import { visibleText } from '../../core/visibleText';
import { Icon } from '../transcript/icon';
import { useDiagnose } from './model';

/** A part of the report. */
export function Section({ section }: { section: ReportSection }) {
  const { id, title, rows, table, text } = section;
  const { t } = useDiagnose();
  return (
    <section data-section={id} aria-labelledby={`title-${id}`}>
      <h2 id={`title-${id}`}>{title}</h2>
      {rows && (
        <dl>
          {rows.map((row) => (
            <Row key={row.label} row={row} />
          ))}
        </dl>
      )}
      {table && <Table section={section} />}
      {text === '' && <p class="dim">{t('printedNothing')}</p>}
      {text && (
        <pre class="raw" tabIndex={0} dir="ltr">
          {visibleText(text)}
        </pre>
      )}
    </section>
  );
}

function Row({ row }: { row: ReportRow }) {
  const { label, value, tone, folded } = row;
  const values = typeof value === 'string' ? [value] : value;
  const list = (
    <ul>
      {values.map((item, index) => (
        <li key={index}>
          <Value text={item} code={row.code} />
        </li>
      ))}
    </ul>
  );
  return (
    <div class="fact">
      <dt>{label}</dt>
      <dd>
        {tone && <Icon name={tone === 'ok' ? 'check' : tone === 'warn' ? 'warning' : 'error'} tone={tone} />}
        {folded === undefined ? (
          values.length > 1 ? (
            list
          ) : (
            <Value text={values[0] ?? ''} code={row.code} />
          )
        ) : (
          <details>
            <summary>{folded}</summary>
            {list}
          </details>
        )}
      </dd>
    </div>
  );
}

function Value({ text, code }: { text: string; code: boolean }) {
  const shown = visibleText(text === '' ? '""' : text);
  return code ? <code dir="auto">{shown}</code> : <span dir="auto">{shown}</span>;
}

function Table({ section: { table = [] } }: { section: ReportSection }) {
  const { t } = useDiagnose();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('capability')}</th>
          <th scope="col">{t('rawName')}</th>
          <th scope="col">{t('support')}</th>
        </tr>
      </thead>
      <tbody>
        {table.map(({ words, name, supported }) => (
          <tr key={name} data-supported={supported}>
            <td>{words}</td>
            <td>
              <code>{visibleText(name)}</code>
            </td>
            <td>
              <Icon name={supported ? 'check' : 'dash'} {...(supported ? { tone: 'ok' } : {})} />{' '}
              {t(supported ? 'supported' : 'unsupported')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
