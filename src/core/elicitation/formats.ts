/** The formats of texts that the protocol names (EL-13). */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
// RFC 5321: a dot-atom or a quoted text, at a domain or an address in brackets.
const EMAIL = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*")` +
    `@(?:${LABEL}(?:\\.${LABEL})*|\\[[0-9a-z:.]+\\])$`,
  'i',
);
const MAX_EMAIL = 320;

// RFC 3986: a scheme, then an authority that may hold an address in brackets, then the rest.
const URI =
  /^[a-z][a-z0-9+.-]*:(?:\/\/(?:[\w\-.~!$&'()*+,;=:%]*@)?(?:\[[0-9a-fv:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?(?=[/?#]|$)|(?!\/\/))[\w\-.~!$&'()*+,;=:@/?%]*(?:#[\w\-.~!$&'()*+,;=:@/?%]*)?$/i;
const STRAY_PERCENT = /%(?![0-9a-f]{2})/i;

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i;

/** True if the text has the format: a date is a day of the calendar, a date with time is one of RFC 3339 with its offset. */
export function matchesFormat(format: TextFormat, text: string): boolean {
  switch (format) {
    case 'email':
      return text.length <= MAX_EMAIL && EMAIL.test(text);
    case 'uri':
      return URI.test(text) && !STRAY_PERCENT.test(text);
    case 'date':
      return isDate(text);
    case 'date-time':
      return isDate(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && isTime(text.slice(11));
  }
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** A leap second is taken at any minute: the offset decides where it is one. */
function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (!match) return false;
  const [hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  return hour <= 23 && minute <= 59 && second <= 60 && offsetHour <= 23 && offsetMinute <= 59;
}
