const threshold = 2000;
const percent = 10;

/** Discount in cents: ten percent off for an order of twenty euros or more. */
export function discountFor(subtotal) {
  if (subtotal > threshold) return Math.round((subtotal * percent) / 100);
  return 0;
}
