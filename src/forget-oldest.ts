/** Forgets the oldest until no more than so many are remembered. */
export function forgetOldest<Key>(known: Map<Key, unknown> | Set<Key>, sizeMax: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= sizeMax) return
    known.delete(oldest)
  }
}
