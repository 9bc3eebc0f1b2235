import { useRef } from 'preact/hooks';

/**
 * Puts what waits into the order in which it came, so that a newcomer never pushes down what is being answered. What was there at the
 * first call keeps the order given.
 */
export function useArrival<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const came = useRef<string[]>([]);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const order = [...new Set([...came.current, ...byId.keys()])].filter((id) => byId.has(id));
  came.current = order;
  return order.flatMap((id) => byId.get(id) ?? []);
}
