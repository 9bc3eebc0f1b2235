/** Teas and their prices in cents. */
export const menu = new Map([
  ['sencha', 420],
  ['oolong', 480],
  ['earl grey', 350],
  ['chai', 400],
]);

/** Price of one cup in cents. */
export function priceOf(tea) {
  const price = menu.get(tea);
  if (price === undefined) throw new Error(`We have no ${tea}.`);
  return price;
}
