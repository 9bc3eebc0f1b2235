const euros = (cents) => `${(cents / 100).toFixed(2)} €`;

/** The order as text, one line per tea. */
export function receipt(order) {
  const lines = order.lines.map(
    ({ tea, cups, price }) => `${cups} x ${tea}`.padEnd(20) + euros(price).padStart(10),
  );
  const discount = order.subtotal - order.total;
  if (discount > 0) lines.push('discount'.padEnd(20) + `-${euros(discount)}`.padStart(10));
  return [...lines, '-'.repeat(30), 'total'.padEnd(20) + euros(order.total).padStart(10)].join('\n');
}
