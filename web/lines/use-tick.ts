import { useEffect, useState } from 'react'

const TICK_MS = 1_000

/** Draws again each second while something goes on; gives how often it has. */
export function useTick(isOn: boolean): number {
  const [count, tick] = useState(0)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => tick((before) => before + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [isOn])
  return count
}
