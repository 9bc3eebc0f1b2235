import chinese from '../../../l10n/bundle.l10n.zh-cn.json';

/** Writes the texts of a language into the page, as the extension does. */
export function setLanguage(lang, english) {
  document.documentElement.lang = lang;
  if (lang === 'en') return;
  const texts = Object.entries(english).map(([key, text]) => [key, chinese[text] ?? text]);
  document.body.dataset.strings = JSON.stringify(Object.fromEntries(texts));
}
