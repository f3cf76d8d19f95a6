import { legsOf } from './call-rows.ts'
import type { StripLeg } from './strip-geometry.ts'

/** Long enough for the rows of one list to be drawn. */
const GATHER_MS = 10

interface Gathering {
  calls: Set<number>
  found: Promise<Map<number, StripLeg[]>>
}

let gathering: Gathering | undefined

/** The legs of a call; calls that are asked for within a moment share one request. */
export async function gathered(call: number): Promise<StripLeg[]> {
  gathering ??= begin()
  gathering.calls.add(call)
  return (await gathering.found).get(call) ?? []
}

function begin(): Gathering {
  const calls = new Set<number>()
  const found = new Promise<void>((resolve) => setTimeout(resolve, GATHER_MS)).then(() => {
    gathering = undefined
    return legsOf([...calls])
  })
  return { calls, found }
}
