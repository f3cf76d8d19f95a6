/** Waits until somebody ends this process; `forget` leaves the signals to others again. */
export function untilSignal(): { interrupted: Promise<NodeJS.Signals>; forget: () => void } {
  const { promise: interrupted, resolve } = Promise.withResolvers<NodeJS.Signals>()
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, resolve)
  const forget = (): void => {
    for (const signal of signals) process.off(signal, resolve)
  }
  return { interrupted, forget }
}
